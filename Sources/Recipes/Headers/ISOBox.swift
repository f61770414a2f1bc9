/// One box of an ISO media file: a type and the bytes that it holds.
struct ISOBox {
  let type: FourCC
  /// Without the box's own header.
  let payload: Range<Int>

  /// Reads the box that begins at a place within another box, or within the file.
  init(at start: Int, in bytes: borrowing FileBytes, end: Int) throws(Rejection) {
    var length = try bytes.big(4, at: start)
    type = try bytes.code(at: start + 4)
    var headerLength = 8
    if length == 1 {
      // No file has lengths beyond 7 bytes, and those 7 cannot overflow.
      guard try bytes.byte(at: start + 8) == 0 else { throw .truncated(bytes.count) }
      length = try bytes.big(7, at: start + 9)
      headerLength = 16
    } else if length == 0 {
      length = end - start
    }
    guard length >= headerLength else {
      throw .corrupt("a \(type.text) box states a length of \(length) bytes")
    }
    guard length <= end - start else {
      guard end == bytes.count else {
        throw .corrupt("a \(type.text) box is longer than the box around it")
      }
      throw .truncated(bytes.count, ofAtLeast: start + length)
    }
    payload = start + headerLength..<start + length
  }
}

/// Steps through the boxes that fill a range.
struct ISOBoxWalk {
  private var position: Int
  private let end: Int
  private var boxes = 0
  private let limits: InspectionLimits

  init(_ range: Range<Int>, limits: InspectionLimits) {
    position = range.lowerBound
    end = range.upperBound
    self.limits = limits
  }

  mutating func next(in bytes: borrowing FileBytes) throws(Rejection) -> ISOBox? {
    guard position < end else { return nil }
    boxes += 1
    guard boxes <= limits.chunks else {
      throw Rejection(.tooManyChunks, "the file has more than \(limits.chunks.grouped) boxes")
    }
    let box = try ISOBox(at: position, in: bytes, end: end)
    position = box.payload.upperBound
    return box
  }
}

/// Reads the numbers of a box one after the other, without ever leaving it.
struct ISOFields {
  private(set) var position: Int
  let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// An unsigned number of 0 to 8 bytes; one above 2^56 is no place in any file.
  mutating func next(_ width: Int, in bytes: borrowing FileBytes) throws(Rejection) -> Int {
    guard width <= end - position else { throw .corrupt("a box of the file is too short") }
    defer { position += width }
    if width == 0 { return 0 }
    if width < 8 { return try bytes.big(width, at: position) }
    guard try bytes.byte(at: position) == 0 else { throw .truncated(bytes.count) }
    return try bytes.big(7, at: position + 1)
  }

  /// Version and flags, which open most boxes.
  mutating func versionAndFlags(
    in bytes: borrowing FileBytes
  ) throws(Rejection) -> (version: Int, flags: Int) {
    (try next(1, in: bytes), try next(3, in: bytes))
  }
}

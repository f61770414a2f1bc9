import CZlib

/// Compression as HTTP has it.
enum Gzip {
  /// Nil when there is no memory for it.
  ///
  /// The corresponding C functions are `deflateInit2`, `deflate` and `deflateEnd`.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    // 15 bits of window, and 16 more for gzip's frame instead of zlib's.
    guard
      unsafe deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { _ = unsafe deflateEnd(&stream) }
    var input = bytes
    let room = Int(unsafe deflateBound(&stream, uLong(bytes.count)))
    var isDone = false
    // The pointers are used only during the call, and zlib keeps to the counts beside them.
    let result = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: room) { target, used in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = uInt(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = uInt(target.count)
        isDone = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        used = unsafe target.count - Int(stream.avail_out)
      }
    }
    return isDone ? result : nil
  }

  /// Whether the Accept-Encoding headers of a request take gzip.
  static func isAccepted(by headers: [String]) -> Bool {
    var others: Bool?
    for part in headers.joined(separator: ",").split(separator: ",") {
      let words = part.split(separator: ";").map { $0.trimming().lowercased() }
      guard let name = words.first else { continue }
      let isTaken = weight(words.dropFirst()) > 0
      if name == "gzip" || name == "x-gzip" { return isTaken }
      if name == "*" { others = isTaken }
    }
    return others ?? false
  }

  /// The `q` among the parameters: 1 where there is none, 0 where it is no weight.
  private static func weight(_ parameters: ArraySlice<String>) -> Double {
    for parameter in parameters where parameter.hasPrefix("q=") {
      let digits = parameter.dropFirst(2)
      guard digits.utf8.count <= 5, let weight = Double(digits), (0...1).contains(weight) else {
        return 0
      }
      return weight
    }
    return 1
  }
}

extension Substring {
  fileprivate func trimming() -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
  }
}

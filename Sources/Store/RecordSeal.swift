/// Eight bytes behind each value by which a damaged record is known.
///
/// SQLite notices damage to its own structure, but would hand out a flipped bit of a key or a value
/// as if it were right. The seal covers table, key and value, by 64-bit FNV-1a: each of its steps
/// can be undone, so two inputs that differ in one byte never agree. It guards against disks, not
/// against people; the folder's rights do that.
enum RecordSeal {
  static let byteCount = 8

  /// The value with its seal.
  static func seal(_ value: [UInt8], table: IndexTable, key: RawSpan) -> [UInt8] {
    var sealed: [UInt8] = []
    sealed.reserveCapacity(value.count + byteCount)
    sealed += value
    let sum = checksum(table: table, key: key, value: unsafe value.span.bytes)
    for shift in stride(from: 0, to: 64, by: 8) {
      sealed.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
    }
    return sealed
  }

  /// Whether a value and its seal, as they were found, belong to the key.
  static func isIntact(_ sealed: RawSpan, table: IndexTable, key: RawSpan) -> Bool {
    let count = sealed.byteCount - byteCount
    guard count >= 0 else { return false }
    // Inside: eight bytes follow the value.
    let sum = UInt64(
      littleEndian: unsafe sealed.unsafeLoadUnaligned(fromByteOffset: count, as: UInt64.self))
    return sum == checksum(table: table, key: key, value: sealed.extracting(0..<count))
  }

  /// What an intact value was before it was sealed.
  static func value(of sealed: RawSpan) -> [UInt8] {
    let value = sealed.extracting(droppingLast: byteCount)
    return unsafe value.withUnsafeBytes { unsafe Array($0) }
  }

  private static func checksum(table: IndexTable, key: RawSpan, value: RawSpan) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in table.rawValue.utf8 { add(byte, to: &sum) }
    // The length keeps a key's end apart from a value's start.
    add(UInt8(truncatingIfNeeded: key.byteCount), to: &sum)
    add(UInt8(truncatingIfNeeded: key.byteCount >> 8), to: &sum)
    add(key, to: &sum)
    add(value, to: &sum)
    return sum
  }

  private static func add(_ bytes: RawSpan, to sum: inout UInt64) {
    for offset in 0..<bytes.byteCount {
      add(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self), to: &sum)
    }
  }

  private static func add(_ byte: UInt8, to sum: inout UInt64) {
    sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}

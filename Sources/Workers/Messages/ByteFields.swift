/// Little-endian integers and counted bytes, appended one after the other.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: some FixedWidthInteger) {
    var rest = value
    for _ in 0..<(type(of: value).bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// The length in four bytes, then the bytes.
  mutating func write(counted part: some Collection<UInt8>) {
    write(UInt32(clamping: part.count))
    bytes.append(contentsOf: part)
  }
}

/// Reads what `ByteWriter` wrote, and trusts none of it.
package struct ByteReader {
  /// The bytes end too early, or they say what they must not.
  package struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func read<Value: FixedWidthInteger>(_: Value.Type) throws(Malformed) -> Value {
    let count = Value.bitWidth / 8
    guard rest.count >= count else { throw Malformed() }
    var value: Value = 0
    for byte in rest.prefix(count).reversed() {
      value = value << 8 | Value(truncatingIfNeeded: byte)
    }
    rest = rest.dropFirst(count)
    return value
  }

  mutating func readCounted() throws(Malformed) -> ArraySlice<UInt8> {
    let count = Int(try read(UInt32.self))
    guard rest.count >= count else { throw Malformed() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func readText() throws(Malformed) -> String {
    guard let text = String(validating: try readCounted(), as: UTF8.self) else {
      throw Malformed()
    }
    return text
  }
}

import Bytes
package import Foundation

/// What Bazel's cache protocol keeps under `/ac/`, with one file that lies in the message itself.
///
/// Servers that know the protocol read these messages, so we write theirs. Of the message we use
/// `output_files`, and of a file `path`, `digest` and `contents`.
package struct ActionResult: Hashable, Sendable {
  package var path: String
  package var contents: Data

  package init(path: String, contents: Data) {
    self.path = path
    self.contents = contents
  }

  /// Numbers of fields in the protocol's definition.
  private enum Field {
    static let outputFiles = 2
    static let path = 1
    static let digest = 2
    static let contents = 5
    static let hash = 1
    static let size = 2
  }

  package var bytes: Data {
    var digest = ProtobufWriter()
    digest.write(Data(Digest(of: contents).hex.utf8), as: Field.hash)
    digest.write(contents.count, as: Field.size)
    var file = ProtobufWriter()
    file.write(Data(path.utf8), as: Field.path)
    file.write(digest.bytes, as: Field.digest)
    file.write(contents, as: Field.contents)
    var message = ProtobufWriter()
    message.write(file.bytes, as: Field.outputFiles)
    return message.bytes
  }

  /// Nil for what is no such message, or whose file has not the digest that it states.
  package init?(_ bytes: Data) {
    guard let message = ProtobufReader.blocks(of: bytes), let files = message[Field.outputFiles],
      files.count == 1, let file = ProtobufReader.blocks(of: files[0]),
      let path = file[Field.path]?.last.flatMap({ String(validating: $0, as: UTF8.self) }),
      let contents = file[Field.contents]?.last,
      let digest = file[Field.digest]?.last.flatMap(ProtobufReader.blocks),
      let hash = digest[Field.hash]?.last, hash.elementsEqual(Digest(of: contents).hex.utf8)
    else { return nil }
    self.init(path: path, contents: contents)
  }
}

private struct ProtobufWriter {
  private(set) var bytes = Data()

  mutating func write(_ block: Data, as field: Int) {
    write(varint: UInt64(field << 3 | 2))
    write(varint: UInt64(block.count))
    bytes += block
  }

  mutating func write(_ number: Int, as field: Int) {
    write(varint: UInt64(field << 3))
    write(varint: UInt64(number))
  }

  private mutating func write(varint: UInt64) {
    var rest = varint
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

private enum ProtobufReader {
  /// The blocks of bytes of a message by their field; nil when it is malformed.
  static func blocks(of message: Data) -> [Int: [Data]]? {
    var blocks: [Int: [Data]] = [:]
    var rest = message[...]
    while !rest.isEmpty {
      guard let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
      switch tag & 7 {
      case 0: if varint(&rest) == nil { return nil }
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      case 2:
        guard let count = varint(&rest), count <= rest.count else { return nil }
        blocks[Int(tag >> 3), default: []].append(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
    return blocks
  }

  private static func varint(_ rest: inout Data) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }
}

import Bytes
import Foundation

/// What a worker learns before it starts ImageMagick, and what it gets to work with.
struct Setup {
  var addressSpace: Int
  var requestBytes: Int
  var answerBytes: Int
  /// Fonts, badges, a detector's data, by digest.
  var supplies: [String: Data]

  init(_ limits: WorkerLimits, supplies: [String: Data]) {
    addressSpace = limits.addressSpace
    requestBytes = limits.requestBytes
    answerBytes = limits.answerBytes
    self.supplies = supplies
  }

  init(head: ArraySlice<UInt8>, payload: Data) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    addressSpace = Int(clamping: try reader.read(UInt64.self))
    requestBytes = Int(clamping: try reader.read(UInt64.self))
    answerBytes = Int(clamping: try reader.read(UInt64.self))
    supplies = [:]
    var rest = payload
    while !reader.isAtEnd {
      let name = try reader.readText()
      let count = Int(clamping: try reader.read(UInt64.self))
      guard count <= rest.count else { throw ByteReader.Malformed() }
      supplies[name] = rest.prefix(count)
      rest = rest.dropFirst(count)
    }
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt64(clamping: addressSpace))
    writer.write(UInt64(clamping: requestBytes))
    writer.write(UInt64(clamping: answerBytes))
    for (name, bytes) in named {
      writer.write(counted: name.utf8)
      writer.write(UInt64(clamping: bytes.count))
    }
    return writer.bytes
  }

  /// In the order of the head.
  var payload: [Data] { named.map(\.value) }

  private var named: [(key: String, value: Data)] { supplies.sorted { $0.key < $1.key } }
}

extension WorkerFingerprint {
  init(head: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    let text = try reader.readText()
    var files: [String] = []
    while !reader.isAtEnd { files.append(try reader.readText()) }
    self.init(text: text, files: files)
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(counted: text.utf8)
    for file in files { writer.write(counted: file.utf8) }
    return writer.bytes
  }
}

import Bytes
import Foundation

/// What a worker learns before it starts ImageMagick, and what it gets to work with.
struct Setup {
  var addressSpace: Int
  var requestBytes: Int
  var answerBytes: Int
  /// Fonts, badges, a detector's data, by digest.
  var resources: [String: Data]

  init(_ limits: WorkerLimits, resources: [String: Data]) {
    addressSpace = limits.addressSpace
    requestBytes = limits.requestBytes
    answerBytes = limits.answerBytes
    self.resources = resources
  }

  init(head: ArraySlice<UInt8>, payload: Data) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    addressSpace = Int(clamping: try reader.read(UInt64.self))
    requestBytes = Int(clamping: try reader.read(UInt64.self))
    answerBytes = Int(clamping: try reader.read(UInt64.self))
    resources = [:]
    var rest = payload
    while !reader.isAtEnd {
      let name = try reader.readText()
      let count = Int(clamping: try reader.read(UInt64.self))
      guard count <= rest.count else { throw ByteReader.Malformed() }
      resources[name] = rest.prefix(count)
      rest = rest.dropFirst(count)
    }
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt64(clamping: addressSpace))
    writer.write(UInt64(clamping: requestBytes))
    writer.write(UInt64(clamping: answerBytes))
    for (name, bytes) in named {
      writer.write(name)
      writer.write(UInt64(clamping: bytes.count))
    }
    return writer.bytes
  }

  /// In the order of the head.
  var payload: [Data] { named.map(\.value) }

  private var named: [(key: String, value: Data)] { resources.sorted { $0.key < $1.key } }
}

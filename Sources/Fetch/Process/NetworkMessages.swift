package import Bytes
import Foundation

/// The messages between the build and the network worker.
///
/// The setup is `FetchSettings` as JSON. All other messages begin with a request ID.
package enum NetworkMessage {
  /// The maximum size of a message in bytes; the largest messages contain body pieces.
  package static let limit = 1 << 20

  /// Encodes a request, or a cancellation if `request` is nil.
  package static func head(_ id: Int, _ request: FetchRequest? = nil) -> [UInt8] {
    [UInt8](number(id)) + (request.map(json) ?? [])
  }

  /// Encodes the head of a body piece or reply; an attempt's first piece replaces earlier pieces.
  package static func head(_ id: Int, isFirst: Bool, _ reply: FetchReply? = nil) -> [UInt8] {
    number(id) + [isFirst ? 1 : 0] + (reply.map(json) ?? [])
  }

  package static func id(_ head: inout ArraySlice<UInt8>) throws(ByteReader.Malformed) -> Int {
    var reader = ByteReader(head)
    defer { head = head.dropFirst(8) }
    return Int(truncatingIfNeeded: try reader.read(UInt64.self))
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, _ json: ArraySlice<UInt8>
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json))
  }

  package static func json(_ value: some Encodable) -> [UInt8] {
    // Encoding fails only for NaN and infinity.
    (try? JSONEncoder().encode(value)).map { [UInt8]($0) } ?? []
  }

  private static func number(_ id: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt64(truncatingIfNeeded: id))
    return writer.bytes
  }
}

package struct FetchReply: Codable, Sendable {
  package enum Outcome: Codable, Sendable {
    case fetched(HTTPFields)
    case notModified(HTTPFields)
    case failed(FetchFailure)
  }

  package var outcome: Outcome
  package var cost: FetchCost

  package init(_ outcome: Outcome, _ cost: FetchCost) {
    (self.outcome, self.cost) = (outcome, cost)
  }

  /// Whether the reply is valid; a worker compromised by a server may send anything.
  var isSound: Bool {
    let isOutcomeSound =
      switch outcome {
      case .fetched(let fields), .notModified(let fields): (fields.host ?? "").isHostAndPort
      case .failed(let failure): failure.isSound
      }
    return isOutcomeSound && cost.isSound
  }
}

extension FetchCost {
  /// Whether the values are small enough that a build's totals cannot overflow.
  fileprivate var isSound: Bool {
    let counts = 0...(1 << 32)
    return (0...1e9).contains(seconds) && hosts.count <= 16
      && hosts.allSatisfy { host, part in
        host.isHostAndPort
          && [part.requests, part.retries, part.bytes, part.reused].allSatisfy(counts.contains)
      }
  }
}

extension FetchFailure {
  fileprivate var isSound: Bool {
    let ofBuilds: Set<FetchReason> = [.cancelled, .spoolFailed, .badData, .offline]
    return !ofBuilds.contains(reason) && detail.utf8.count <= 4_096 && detail.isPlain
      && (0...999).contains(status ?? 0)
  }

  /// The failure with a shortened, printable text.
  package var plain: FetchFailure {
    let words = String(decoding: detail.plain.utf8.prefix(2_000), as: UTF8.self)
    return FetchFailure(reason, words, status: status)
  }
}

extension String {
  fileprivate var isHostAndPort: Bool {
    utf8.count <= HostName.limit + 6 && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

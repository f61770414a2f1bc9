import Bytes
package import Files
package import Foundation

/// What the build tells its fetcher.
package enum FetcherCommand: Codable, Sendable {
  /// Once, before anything else.
  case settings(FetchSettings)
  case begin(Int, FetchRequest)
  case cancel(Int)
  /// Asks which layers of the jail hold.
  case jail(Int)
}

/// What the fetcher tells the build, by the number of what was asked.
package enum FetcherEvent: Codable, Sendable {
  /// The payload is a piece of a body; the first piece of an attempt replaces what an earlier one
  /// has left.
  case piece(Int, isFirst: Bool)
  /// The payload is the end of the body, or all of it.
  case fetched(Int, HTTPFields, FetchCost, isFirst: Bool)
  case notModified(Int, HTTPFields, FetchCost)
  case failed(Int, FetchFailure, FetchCost)
  case jail(Int, Jail)
}

// MARK: - What may come from a fetcher, which a server may have taken over

extension FetcherEvent: FetcherAnswer {
  var isSound: Bool {
    switch self {
    case .piece, .jail: true
    case .fetched(_, let fields, let cost, _), .notModified(_, let fields, let cost):
      (fields.host ?? "").isPlainWord && cost.isSound
    case .failed(_, let failure, let cost): failure.isSound && cost.isSound
    }
  }
}

extension FetchCost {
  /// Sums over all requests of a build stay far from the end of an `Int`.
  fileprivate var isSound: Bool {
    let counts = 0...(1 << 32)
    return (0...1e9).contains(seconds) && hosts.count <= 16
      && hosts.allSatisfy { host, part in
        host.isPlainWord && counts.contains(part.requests) && counts.contains(part.retries)
          && counts.contains(part.bytes) && counts.contains(part.reused)
      }
  }
}

extension FetchFailure {
  /// Bytes of the words.
  private static let limit = 4_096

  fileprivate var isSound: Bool {
    let ofBuilds: Set<FetchReason> = [.cancelled, .spoolFailed, .badData, .offline]
    return !ofBuilds.contains(reason) && detail.utf8.count <= Self.limit && detail.isPlain
      && (0...999).contains(status ?? 0)
  }

  /// The same as a build accepts it: a host may be called anything.
  package var told: FetchFailure {
    let words = String(decoding: detail.plain.utf8.prefix(2_000), as: UTF8.self)
    return FetchFailure(reason, words, status: status)
  }
}

extension String {
  /// Whether it can be a host with its port.
  fileprivate var isPlainWord: Bool {
    utf8.count <= HostName.limit + 6 && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// A message as it travels over a pipe: the length of its JSON, the length of its payload, both.
package enum FetcherFrame {
  /// For pieces of bodies, all header lines of an answer, and a long address.
  static let limit = 1 << 20
  /// A piece of a body, beside what is said of it.
  package static let piece = limit - (4 << 10)
  fileprivate static let headCount = 8

  /// Nil for a message that is too long.
  package static func bytes(_ message: some Encodable, payload: Data = Data()) -> Data? {
    // Only NaN and infinity cannot be encoded, and no message has those.
    guard let json = try? JSONEncoder().encode(message), json.count + payload.count <= limit
    else { return nil }
    var bytes = Data(capacity: headCount + json.count + payload.count)
    for count in [json.count, payload.count] {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(count >> shift & 0xFF)) }
    }
    return bytes + json + payload
  }
}

/// Messages that arrive; the other side may send anything.
package struct FetcherFrames<Message: Decodable> {
  package struct Malformed: Error {}

  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package mutating func append(_ piece: ArraySlice<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: piece)
  }

  /// The next whole message; nil when more bytes are needed.
  package mutating func next() throws(Malformed) -> (Message, payload: ArraySlice<UInt8>)? {
    let rest = bytes[start...]
    guard rest.count >= FetcherFrame.headCount else { return nil }
    func count(at offset: Int) -> Int {
      rest.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let (json, payload) = (count(at: 0), count(at: 4))
    guard json + payload <= FetcherFrame.limit else { throw Malformed() }
    let body = rest.dropFirst(FetcherFrame.headCount)
    guard body.count >= json + payload else { return nil }
    start += FetcherFrame.headCount + json + payload
    let text = Data(body.prefix(json))
    guard let message = try? JSONDecoder().decode(Message.self, from: text) else {
      throw Malformed()
    }
    return (message, body.dropFirst(json).prefix(payload))
  }
}

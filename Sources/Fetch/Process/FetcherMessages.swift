import Bytes
import Foundation

/// What the build tells its fetcher.
enum FetcherCommand: Codable, Sendable {
  /// Once, before anything else.
  case settings(FetchSettings)
  case begin(Int, FetchRequest)
  case cancel(Int)
  /// Asks for the service records of a name.
  case lookUp(Int, String)
}

/// What the fetcher tells the build, by the number of what was asked.
enum FetcherEvent: Codable, Sendable {
  /// The payload is a piece of a body; the first piece of an attempt replaces what an earlier one
  /// has left.
  case piece(Int, isFirst: Bool)
  /// The payload is the end of the body, or all of it.
  case fetched(Int, HTTPFields, FetchCost, isFirst: Bool)
  case notModified(Int, HTTPFields, FetchCost)
  case failed(Int, FetchFailure, FetchCost)
  case service(Int, ServiceRecords.Answer)
}

/// A message as it travels over a pipe: the length of its JSON, the length of its payload, both.
enum FetcherFrame {
  /// For pieces of bodies, all header lines of an answer, and a long address.
  static let limit = 1 << 20
  fileprivate static let headCount = 8

  /// Nil for a message that is too long.
  static func bytes(_ message: some Encodable, payload: Data = Data()) -> Data? {
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
struct FetcherFrames<Message: Decodable> {
  struct Malformed: Error {}

  private var bytes: [UInt8] = []
  private var start = 0

  mutating func append(_ piece: ArraySlice<UInt8>) {
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: piece)
  }

  /// The next whole message; nil when more bytes are needed.
  mutating func next() throws(Malformed) -> (Message, payload: ArraySlice<UInt8>)? {
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

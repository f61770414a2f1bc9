import Bytes
import Fetch
import Files

/// One request to one server, and what has come of it so far.
struct Attempt: ~Copyable {
  let address: WebAddress
  let isProxied: Bool
  let isRetry: Bool
  /// Whether the server may answer that nothing has changed.
  let isConditional: Bool
  private let settings: FetchSettings

  private(set) var status = 0
  private(set) var fields = HTTPFields()
  private(set) var locations: [String] = []
  private(set) var isHeadComplete = false
  /// Bytes of bodies.
  private(set) var received = 0
  /// Why we end the attempt.
  private(set) var noted: FetchFailure?
  private(set) var refused: InternetAddress?
  private(set) var hasOpened = false
  private var headBytes = 0
  private var sink: BodySink

  /// So much of an unwanted body is read, so that the connection can be used again.
  private static let unwanted = 64 << 10

  init(
    _ address: WebAddress, isProxied: Bool, isRetry: Bool, isConditional: Bool,
    _ settings: FetchSettings, forward: BodySink.Forward? = nil
  ) {
    self.address = address
    self.isProxied = isProxied
    self.isRetry = isRetry
    self.isConditional = isConditional
    self.settings = settings
    sink = BodySink(folder: settings.spool, forward: forward)
  }

  // MARK: - The socket

  /// Whether a socket may be connected; `to` is nil for what is no address of the internet.
  mutating func connects(to: InternetAddress?, _ policy: AddressPolicy) -> Bool {
    // A proxy's address, and where it connects to, are not checked.
    guard isProxied || to.map({ policy.allows($0, of: address.host) }) == true else {
      refused = to ?? .v4(0)
      return false
    }
    hasOpened = true
    return true
  }

  // MARK: - The head

  /// Takes one line; false ends the attempt.
  mutating func takes(line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    guard headBytes <= settings.headerBytes else {
      return refuse(.badAnswer, "more than \(settings.headerBytes >> 10) KiB of header lines")
    }
    // Trailers are ignored.
    if isHeadComplete { return true }
    let bytes = unsafe Array(line)
    let text = Attempt.trimmed(bytes[...])
    if text.isEmpty { return endHead() }
    if text.starts(with: "HTTP/".utf8) {
      let words = text.split(separator: 0x20, maxSplits: 2)
      status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
      fields = HTTPFields()
      locations = []
      return true
    }
    // A folded line (obsolete) is nothing we need.
    guard let colon = text.firstIndex(of: 0x3A), bytes[0] > 0x20 else { return true }
    let name = String(decoding: Attempt.trimmed(text[..<colon]), as: UTF8.self).lowercased()
    let value = String(decoding: Attempt.trimmed(text[(colon + 1)...]), as: UTF8.self)
    fields.add(name, value)
    if name == "location" { locations.append(value) }
    return true
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.trimmed { $0 <= 0x20 }
  }

  private mutating func endHead() -> Bool {
    // A final answer follows.
    if (100..<200).contains(status), status != 101 { return true }
    isHeadComplete = true
    guard status == 200 else { return true }
    for (field, plain) in [("content-encoding", "identity"), ("transfer-encoding", "chunked")] {
      if let value = fields[field]?.lowercased(), !value.isEmpty, value != plain {
        let word = value.prefix(20).filter { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == ",") }
        return refuse(.encodedBody, word.isEmpty ? "in no way that has a name" : "by \(word)")
      }
    }
    guard let text = fields["content-length"], fields["transfer-encoding"] == nil else {
      return true
    }
    let lengths = Set(text.split(separator: ",").map { $0.trimmingBlanks })
    guard lengths.count == 1, let length = lengths.first.flatMap({ UInt64($0) }) else {
      return refuse(.badAnswer, "a length that is none")
    }
    guard length <= settings.bytes else { return refuseSize() }
    sink.expect(Int(length))
    return true
  }

  // MARK: - The body

  /// Takes a piece of the body; false ends the attempt.
  mutating func takes(piece: UnsafeRawBufferPointer) -> Bool {
    received += piece.count
    guard status == 200, isHeadComplete else { return received <= Attempt.unwanted }
    guard received <= settings.bytes else { return refuseSize() }
    do throws(FileError) {
      try unsafe sink.append(piece)
      return true
    } catch {
      return refuse(.spoolFailed, "cannot put it down here: \(error.explanation)")
    }
  }

  /// The body of an attempt that has succeeded.
  consuming func body() -> FetchedBody { sink.finish() }

  private mutating func refuseSize() -> Bool {
    refuse(.tooManyBytes, "more than \(FetchMessages.size(settings.bytes))")
  }

  private mutating func refuse(_ reason: FetchReason, _ detail: String) -> Bool {
    noted = FetchFailure(reason, "\(address.name): \(detail)", status: status)
    return false
  }
}

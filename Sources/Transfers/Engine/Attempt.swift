import Bytes
import CCurl
import Fetch
import Foundation
import Glibc

/// A request to one server, with a libcurl easy handle that verifies TLS certificates and ignores
/// redirects and proxy environment variables.
@safe
final class Attempt {
  /// A function that forwards body pieces; the first piece replaces the body of an earlier attempt.
  typealias Forward = (_ piece: Data, _ isFirst: Bool) -> Void

  let task: FetchTask
  let address: WebAddress
  let isProxied: Bool
  /// Whether the request contains validators, so that a 304 response is allowed.
  let isConditional: Bool
  let settings: FetchSettings
  let time: Duration
  let deadline: Duration

  private(set) var status = 0
  private(set) var fields = HTTPFields()
  private(set) var locations: [String] = []
  private(set) var isHeadComplete = false
  private(set) var received = 0
  private(set) var body = Data()
  private(set) var isFirst = true
  /// The error to report if a callback ended the attempt.
  private(set) var noted: FetchFailure?
  private(set) var refused: InternetAddress?
  private(set) var hasOpened = false

  let handle: UnsafeMutableRawPointer
  private let policy: AddressPolicy
  private let forward: Forward
  private let message: UnsafeMutablePointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var headBytes = 0

  /// The maximum size of an unneeded body that is read to keep the connection reusable.
  private static let unwanted = 64 << 10
  /// The number of body bytes that are buffered before they are forwarded.
  private static let piece = 256 << 10

  init(
    _ task: FetchTask, _ settings: FetchSettings, _ policy: AddressPolicy, proxy: String?,
    now: Duration, forward: @escaping Forward
  ) {
    guard let handle = unsafe Curl.functions.pointee.easy_init() else {
      fatalError("out of memory")
    }
    unsafe self.handle = handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.task = task
    self.settings = settings
    self.policy = policy
    self.forward = forward
    address = task.address
    isProxied = proxy != nil
    time = task.left
    deadline = now + task.left
    let conditions = task.validators.lines
    isConditional = !conditions.isEmpty
    setOptions()
    set(CURLOPT_URL, address.text)
    // An empty string prevents libcurl from reading the proxy from the environment.
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_TIMEOUT_MS, max(time.milliseconds, 1))
    let headers = task.request.headers
    let isAcceptSet = headers.contains { $0.hasPrefix("accept:") }
    for line in (isAcceptSet ? [] : ["Accept: image/*,*/*;q=0.5"]) + conditions + headers {
      unsafe lines = Curl.functions.pointee.slist_append(lines, line)
    }
    // libcurl uses these pointers only while the handle exists, and this object owns the handle.
    unsafe curl_set_pointer(Curl.functions, handle, CURLOPT_HTTPHEADER, lines)
    unsafe curl_set_pointer(Curl.functions, handle, CURLOPT_ERRORBUFFER, message)
    unsafe curl_set_calls(
      Curl.functions, handle, Calls.head, Calls.body, Calls.socket,
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe Curl.functions.pointee.easy_cleanup(handle)
    unsafe Curl.functions.pointee.slist_free_all(lines)
    unsafe message.deallocate()
  }

  var key: Int { Int(bitPattern: unsafe handle) }

  private func setOptions() {
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    // Do not wait for a DNS thread when an attempt ends.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_NETRC, 0)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(settings.connectTime.milliseconds, 1))
    set(CURLOPT_LOW_SPEED_LIMIT, settings.slowRate)
    set(CURLOPT_LOW_SPEED_TIME, max(Int(settings.slowTime.components.seconds), 1))
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // An empty list prevents libcurl from reading `no_proxy` from the environment.
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    if let certificates = settings.certificates {
      set(CURLOPT_CAINFO, certificates)
      set(CURLOPT_CAPATH, nil)
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe curl_set_long(Curl.functions, handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String?) {
    unsafe curl_set_text(Curl.functions, handle, option, value)
  }

  var errorText: String { unsafe String(cString: message) }

  func long(_ info: CURLINFO) -> Int { unsafe curl_get_long(Curl.functions, handle, info) }

  func microseconds(_ info: CURLINFO) -> Int64 {
    unsafe curl_get_time(Curl.functions, handle, info)
  }

  /// In each callback, `object` is the attempt that owns the handle.
  private enum Calls {
    static let head: curl_write_callback = { bytes, size, count, object in
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe attempt(object).takes(line: Array(line)) ? size * count : 0
    }

    static let body: curl_write_callback = { bytes, size, count, object in
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe attempt(object).takes(piece: piece) ? size * count : 0
    }

    static let socket: curl_opensocket_callback = { object, _, address in
      guard let address = unsafe address else { return -1 }
      let to = unsafe withUnsafePointer(to: &address.pointee.addr) { start in
        unsafe InternetAddress(start, count: Int(address.pointee.addrlen))
      }
      guard unsafe attempt(object).connects(to: to) else { return -1 }
      return unsafe Glibc.socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
    }

    private static func attempt(_ object: UnsafeMutableRawPointer?) -> Attempt {
      guard let object = unsafe object else { preconditionFailure("set with the callbacks") }
      return unsafe Unmanaged<Attempt>.fromOpaque(object).takeUnretainedValue()
    }
  }

  /// Returns whether a socket may connect; `to` is nil if the target is not an IP address.
  private func connects(to: InternetAddress?) -> Bool {
    // With a proxy, the socket's address is the proxy's rather than the target's.
    guard isProxied || to.map({ policy.allows($0, of: address.host) }) == true else {
      refused = to ?? .v4(0)
      return false
    }
    hasOpened = true
    return true
  }

  /// Handles a header line; returns false to end the attempt.
  private func takes(line bytes: [UInt8]) -> Bool {
    headBytes += bytes.count
    guard headBytes <= settings.headerBytes else {
      return refuse(.badAnswer, "more than \(settings.headerBytes >> 10) KiB of headers")
    }
    if isHeadComplete { return true }
    let text = bytes[...].trimmed { $0 <= 0x20 }
    if text.isEmpty { return endHead() }
    if text.starts(with: "HTTP/".utf8) {
      let words = text.split(separator: 0x20, maxSplits: 2)
      status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
      fields = HTTPFields()
      locations = []
      return true
    }
    // Ignore obsolete folded lines.
    guard let colon = text.firstIndex(of: 0x3A), bytes[0] > 0x20 else { return true }
    func word(_ bytes: ArraySlice<UInt8>) -> String {
      String(decoding: bytes.trimmed { $0 <= 0x20 }, as: UTF8.self)
    }
    let (name, value) = (word(text[..<colon]).lowercased(), word(text[(colon + 1)...]))
    fields.add(name, value)
    if name == "location" { locations.append(value) }
    return true
  }

  private func endHead() -> Bool {
    // An interim (1xx) response is followed by the final one.
    if (100..<200).contains(status), status != 101 { return true }
    isHeadComplete = true
    guard status == 200 else { return true }
    for (field, plain) in [("content-encoding", "identity"), ("transfer-encoding", "chunked")] {
      if let value = fields[field]?.lowercased(), !value.isEmpty, value != plain {
        let word = value.prefix(20).filter { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == ",") }
        return refuse(.encodedBody, word.isEmpty ? "its encoding is unknown" : "it uses \(word)")
      }
    }
    guard let text = fields["content-length"], fields["transfer-encoding"] == nil else {
      return true
    }
    let lengths = Set(text.split(separator: ",").map { $0.trimmingBlanks })
    guard lengths.count == 1, let length = lengths.first.flatMap({ UInt64($0) }) else {
      return refuse(.badAnswer, "its Content-Length is not a number")
    }
    return length <= settings.bytes || refuseSize()
  }

  /// Handles a body piece; returns false to end the attempt.
  private func takes(piece: UnsafeRawBufferPointer) -> Bool {
    received += piece.count
    guard status == 200, isHeadComplete else { return received <= Self.unwanted }
    guard received <= settings.bytes else { return refuseSize() }
    unsafe body.append(contentsOf: piece)
    if body.count > Self.piece {
      forward(body, isFirst)
      isFirst = false
      body.removeAll(keepingCapacity: true)
    }
    return true
  }

  private func refuseSize() -> Bool {
    refuse(.tooManyBytes, "more than \(FetchMessages.size(settings.bytes))")
  }

  private func refuse(_ reason: FetchReason, _ detail: String) -> Bool {
    noted = FetchFailure(reason, "\(address.name): \(detail)", status: status)
    return false
  }
}

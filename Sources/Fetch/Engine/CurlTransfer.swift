import CCurl
import Foundation
import Glibc

/// An easy handle of libcurl, and the attempt that it carries; it carries one after the other.
///
/// It belongs to the thread of the engine.
@safe
final class CurlTransfer {
  private let handle: UnsafeMutableRawPointer
  private let settings: FetchSettings
  private let policy: AddressPolicy
  private let errorText: UnsafeMutablePointer<CChar>
  private let usualLines: UnsafeMutablePointer<curl_slist>?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private(set) var task: FetchTask?
  private var attempt: Attempt?
  /// What the attempt had.
  private var time = Duration.zero
  private var began = Duration.zero

  /// The corresponding C function is `curl_easy_init`.
  init(_ settings: FetchSettings, _ policy: AddressPolicy) {
    guard let handle = unsafe curl_easy_init() else { fatalError("out of memory") }
    unsafe self.handle = handle
    self.settings = settings
    self.policy = policy
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe usualLines = curl_slist_append(nil, "Accept: image/*,*/*;q=0.5")
    setAlways()
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
    unsafe curl_slist_free_all(usualLines)
    unsafe errorText.deallocate()
  }

  /// By which the multi handle tells who has ended.
  var key: Int { Int(bitPattern: unsafe handle) }

  /// When the attempt must have ended.
  var deadline: Duration { began + time }

  func withHandle(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe body(handle)
  }

  // MARK: - Settings

  private func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe sitegen_curl_set_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String?) {
    // libcurl copies texts.
    _ = unsafe sitegen_curl_set_text(handle, option, value)
  }

  /// What is the same for every attempt.
  private func setAlways() {
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    // A name server that does not answer must not hold the thread when an attempt ends.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_NETRC, 0)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(settings.connectTime.milliseconds, 1))
    set(CURLOPT_LOW_SPEED_LIMIT, settings.slowRate)
    set(CURLOPT_LOW_SPEED_TIME, max(Int(settings.slowTime.components.seconds), 1))
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Empty: libcurl does not look at the environment for exceptions either.
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    if let certificates = settings.certificates {
      set(CURLOPT_CAINFO, certificates)
      set(CURLOPT_CAPATH, nil)
    }
    // The pointers are used by nobody after the handle, which this object owns.
    _ = unsafe sitegen_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    unsafe sitegen_curl_set_calls(
      handle, Calls.head, Calls.body, Calls.socket, Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: - An attempt

  /// Makes an attempt ready to begin.
  ///
  /// - Parameters:
  ///   - task: For whom.
  ///   - proxy: Who connects for us.
  ///   - now: The time.
  func take(_ task: FetchTask, proxy: String?, now: Duration) {
    self.task = task
    time = task.left
    began = now
    let conditions = task.validators.lines
    attempt = Attempt(
      task.address, isProxied: proxy != nil, isRetry: task.isRetry,
      isConditional: !conditions.isEmpty, settings)
    unsafe errorText.pointee = 0
    set(CURLOPT_URL, task.address.text)
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_TIMEOUT_MS, max(time.milliseconds, 1))
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
    if !conditions.isEmpty {
      for line in ["Accept: image/*,*/*;q=0.5"] + conditions {
        unsafe lines = curl_slist_append(lines, line)
      }
    }
    _ = unsafe sitegen_curl_set_lines(handle, lines ?? usualLines)
  }

  /// Ends the attempt, which is in no multi handle any more.
  ///
  /// - Parameters:
  ///   - code: How libcurl has ended it.
  ///   - now: In seconds since 1970.
  /// - Returns: What it means, and what became of the question for a name; nil if none was asked.
  func end(_ code: CURLcode, now: Int64) -> (AttemptResult, name: ResolverHealth.Answer?) {
    guard let task, let attempt = attempt.take() else { preconditionFailure("nothing began") }
    let connects = unsafe sitegen_curl_get_long(handle, CURLINFO_NUM_CONNECTS)
    task.spend(attempt, isReused: connects == 0 && attempt.status != 0)
    self.task = nil
    let isUnready = unsafe sitegen_curl_get_time(handle, CURLINFO_PRETRANSFER_TIME_T) <= 0
    let ended = unsafe CurlResult(
      code: code, text: String(cString: errorText),
      osError: Int32(truncatingIfNeeded: sitegen_curl_get_long(handle, CURLINFO_OS_ERRNO)),
      isConnecting: time >= settings.connectTime && isUnready,
      proxyStatus: sitegen_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE))
    var name: ResolverHealth.Answer?
    if attempt.isProxied {
      name = nil
    } else if attempt.hasOpened || attempt.refused != nil {
      name = .found
    } else if code == CURLE_OPERATION_TIMEDOUT, isUnready {
      name = .silence
    } else if code == CURLE_COULDNT_RESOLVE_HOST {
      // The library has one word for both: who knows that there is no name says so soon.
      let time = unsafe sitegen_curl_get_time(handle, CURLINFO_TOTAL_TIME_T)
      name = time < CurlTransfer.soon ? ResolverHealth.Answer.none : .silence
    }
    return (attempt.result(ended, settings, now: now), name)
  }

  /// In microseconds.
  private static let soon = 2_000_000

  /// Forgets an attempt that nobody waits for.
  func drop() {
    task = nil
    attempt = nil
  }

  // MARK: - What libcurl calls

  /// Pointers become values here: the object is the one that owns the handle.
  private enum Calls {
    static let head: curl_write_callback = { bytes, size, count, object in
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer(object).attempt?.takes(line: line) == true ? size * count : 0
    }

    static let body: curl_write_callback = { bytes, size, count, object in
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer(object).attempt?.takes(piece: piece) == true ? size * count : 0
    }

    static let socket: curl_opensocket_callback = { object, _, address in
      guard let address = unsafe address else { return -1 }
      let transfer = unsafe transfer(object)
      let to = unsafe withUnsafePointer(to: &address.pointee.addr) { start in
        unsafe InternetAddress(start, count: Int(address.pointee.addrlen))
      }
      guard transfer.attempt?.connects(to: to, transfer.policy) == true else { return -1 }
      return unsafe Glibc.socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
    }

    private static func transfer(_ object: UnsafeMutableRawPointer?) -> CurlTransfer {
      guard let object = unsafe object else { preconditionFailure("every call has its transfer") }
      return unsafe Unmanaged<CurlTransfer>.fromOpaque(object).takeUnretainedValue()
    }
  }
}

extension Duration {
  /// Rounded up.
  var milliseconds: Int {
    let (seconds, rest) = components
    return Int(seconds) * 1000 + Int((rest + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

extension Validators {
  /// The lines to send; what is too long, or would be more than one line, is not sent.
  var lines: [String] {
    func isGood(_ value: String) -> Bool {
      (1...1024).contains(value.utf8.count) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    return [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap {
      name, value in value.flatMap { isGood($0) ? "\(name): \($0)" : nil }
    }
  }
}

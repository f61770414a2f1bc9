import Bytes
import CCurl
import Fetch
import Foundation
import Glibc

/// An easy handle of libcurl, used for one attempt after the other.
///
/// Only the engine's thread uses it.
@safe
final class CurlTransfer {
  private let handle: UnsafeMutableRawPointer
  private let settings: FetchSettings
  private let policy: AddressPolicy
  private let errorText: UnsafeMutablePointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?
  private(set) var task: FetchTask?
  private var attempt: Attempt?
  /// The time limit of the attempt.
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
    setAlways()
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
    unsafe errorText.deallocate()
  }

  /// Names this transfer in `CurlMulti.nextFinished`.
  var key: Int { Int(bitPattern: unsafe handle) }

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
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Empty: libcurl shall not read `no_proxy` from the environment.
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    if let certificates = settings.certificates {
      set(CURLOPT_CAINFO, certificates)
      set(CURLOPT_CAPATH, nil)
    }
    // libcurl uses the pointers no longer than the handle lives, which this object owns.
    _ = unsafe sitegen_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    unsafe sitegen_curl_set_calls(
      handle, Calls.head, Calls.body, Calls.socket, Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: - An attempt

  /// Prepares the next attempt of a task.
  func prepare(_ task: FetchTask, proxy: String?, now: Duration) {
    self.task = task
    time = task.left
    began = now
    let conditions = task.validators.lines
    attempt = Attempt(
      task.address, isProxied: proxy != nil, isRetry: task.isRetry,
      isConditional: !conditions.isEmpty, settings, forward: task.forward)
    unsafe errorText.pointee = 0
    set(CURLOPT_URL, task.address.text)
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_TIMEOUT_MS, max(time.milliseconds, 1))
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
    for line in ["Accept: image/*,*/*;q=0.5"] + conditions {
      unsafe lines = curl_slist_append(lines, line)
    }
    _ = unsafe sitegen_curl_set_lines(handle, lines)
  }

  /// Ends the attempt, after it has left the multi handle.
  ///
  /// Returns the result, and how the name lookup went; nil if there was none.
  func finish(_ code: CURLcode, now: Int64) -> (AttemptResult, lookup: ResolverHealth.Answer?) {
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
    let lookup = lookup(attempt, code, isUnready: isUnready)
    return (attempt.result(ended, settings, now: now), lookup)
  }

  private func lookup(
    _ attempt: borrowing Attempt, _ code: CURLcode, isUnready: Bool
  ) -> ResolverHealth.Answer? {
    if attempt.isProxied { return nil }
    if attempt.hasOpened || attempt.refused != nil { return .found }
    if code == CURLE_OPERATION_TIMEDOUT, isUnready { return .silence }
    guard code == CURLE_COULDNT_RESOLVE_HOST else { return nil }
    // libcurl has one code for "no such name" and "no answer"; only the former comes soon.
    let microseconds = unsafe sitegen_curl_get_time(handle, CURLINFO_TOTAL_TIME_T)
    return microseconds < 2_000_000 ? ResolverHealth.Answer.none : .silence
  }

  /// Drops an attempt that nobody waits for.
  func drop() {
    task = nil
    attempt = nil
  }

  // MARK: - What libcurl calls

  /// `object` is always the transfer that owns the handle.
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
      guard let object = unsafe object else { preconditionFailure("set with the callbacks") }
      return unsafe Unmanaged<CurlTransfer>.fromOpaque(object).takeUnretainedValue()
    }
  }
}

import CCurl
import Fetch

/// An easy handle of libcurl that follows nobody, believes no certificate, and reads no environment.
///
/// One thread uses it.
@safe
final class CurlEasy {
  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var lines: UnsafeMutablePointer<curl_slist>?

  /// The corresponding C function is `curl_easy_init`.
  init(_ settings: FetchSettings) {
    guard let handle = unsafe curl_easy_init() else { fatalError("out of memory") }
    unsafe self.handle = handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setAlways(settings)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
    unsafe message.deallocate()
  }

  /// Names it in `CurlMulti.nextFinished`.
  var key: Int { Int(bitPattern: unsafe handle) }

  func withHandle(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe body(handle)
  }

  private func setAlways(_ settings: FetchSettings) {
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
    // libcurl uses the pointer no longer than the handle lives, which this object owns.
    _ = unsafe sitegen_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
  }

  // MARK: - Options

  func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe sitegen_curl_set_long(handle, option, value)
  }

  func set(_ option: CURLoption, _ value: String?) {
    // libcurl copies texts.
    _ = unsafe sitegen_curl_set_text(handle, option, value)
  }

  /// The lines of the head that are sent.
  func setLines(_ texts: [String]) {
    unsafe curl_slist_free_all(lines)
    unsafe lines = nil
    for text in texts { unsafe lines = curl_slist_append(lines, text) }
    _ = unsafe sitegen_curl_set_lines(handle, lines)
  }

  /// Sets what libcurl calls with `object`, which must live as long as this does.
  func setCalls(
    _ head: curl_write_callback, _ body: curl_write_callback,
    _ socket: curl_opensocket_callback? = nil, _ object: UnsafeMutableRawPointer
  ) {
    unsafe sitegen_curl_set_calls(handle, head, body, socket, object)
  }

  /// Sends a body that libcurl does not copy: it must lie where it is until the transfer has ended.
  func setBody(_ bytes: UnsafeMutableRawBufferPointer) {
    set(CURLOPT_POST, 1)
    _ = unsafe sitegen_curl_set_body(handle, bytes.baseAddress, bytes.count)
  }

  // MARK: - How it went

  /// What libcurl says of the last failure.
  var errorText: String { unsafe String(cString: message) }

  func forgetError() { unsafe message.pointee = 0 }

  func long(_ info: CURLINFO) -> Int { unsafe sitegen_curl_get_long(handle, info) }

  func time(_ info: CURLINFO) -> Int64 { unsafe sitegen_curl_get_time(handle, info) }
}

import CCurl
import Fetch
import Files
import Glibc

/// A multi handle of libcurl: all transfers of an engine, and its connections.
///
/// Sendable: the pointer never changes, one thread calls everything but `wake`, and libcurl allows
/// any thread to call that.
@safe
final class CurlMulti: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let canStart: @Sendable (String) -> Bool

  /// Starts libcurl, once in a process.
  static let start: Void = {
    _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
  }()

  /// The corresponding C function is `curl_multi_init`.
  init(_ settings: FetchSettings, canStart: @escaping @Sendable (String) -> Bool = { _ in true }) {
    CurlMulti.start
    guard let handle = unsafe curl_multi_init() else { fatalError("out of memory") }
    unsafe self.handle = handle
    self.canStart = canStart
    // Idle connections are kept beside the busy ones.
    _ = unsafe sitegen_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, settings.overall * 4)
  }

  /// Closes every connection.
  ///
  /// The corresponding C function is `curl_multi_cleanup`.
  deinit {
    _ = unsafe curl_multi_cleanup(handle)
  }

  /// Ends a `wait`, or the next one.
  ///
  /// The corresponding C function is `curl_multi_wakeup`.
  func wake() {
    _ = unsafe curl_multi_wakeup(handle)
  }

  /// Starts a transfer; false when libcurl refuses it, as it does without memory.
  ///
  /// The corresponding C function is `curl_multi_add_handle`.
  func add(_ easy: CurlEasy, _ url: String) -> Bool {
    guard canStart(url) else { return false }
    var code = CURLM_OK
    unsafe easy.withHandle { code = unsafe curl_multi_add_handle(handle, $0) }
    return code == CURLM_OK
  }

  /// Takes a transfer out, which ends it.
  ///
  /// The corresponding C function is `curl_multi_remove_handle`.
  func remove(_ easy: CurlEasy) {
    unsafe easy.withHandle { _ = unsafe curl_multi_remove_handle(handle, $0) }
  }

  /// Does what can be done at once.
  ///
  /// The corresponding C function is `curl_multi_perform`.
  func perform() {
    var running: Int32 = 0
    _ = unsafe curl_multi_perform(handle, &running)
  }

  /// Waits until something can be done, or read from `descriptor`.
  ///
  /// The corresponding C function is `curl_multi_poll`.
  func wait(_ time: Duration, orFor descriptor: Int32? = nil) {
    let time = Int32(clamping: time.milliseconds)
    var other = curl_waitfd(fd: descriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    // Without memory or descriptors it fails at once: without the pause the loop would spin.
    if unsafe curl_multi_poll(handle, &other, descriptor == nil ? 0 : 1, time, nil) != CURLM_OK {
      _ = usleep(10_000)
    }
  }

  /// The next finished transfer, by its key, and how it ended.
  ///
  /// The corresponding C function is `curl_multi_info_read`.
  func nextFinished() -> (transfer: Int, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(handle, &left) {
      if unsafe message.pointee.msg == CURLMSG_DONE {
        return unsafe (Int(bitPattern: message.pointee.easy_handle), message.pointee.data.result)
      }
    }
    return nil
  }
}

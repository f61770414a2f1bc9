import CCurl
import Fetch
import Glibc

/// libcurl, which is loaded at runtime by the network worker.
enum Curl {
  struct Unusable: Error { let message: String }

  @safe private struct Loaded: @unchecked Sendable {
    let functions: UnsafePointer<curl_functions>
  }

  private static let loaded = Result { () throws(Unusable) -> Loaded in
    let functions = UnsafeMutablePointer<curl_functions>.allocate(capacity: 1)
    unsafe functions.initialize(to: curl_functions())
    if let words = unsafe curl_load(functions) {
      throw Unusable(message: unsafe String(cString: words))
    }
    guard unsafe functions.pointee.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw Unusable(message: "cannot initialize libcurl")
    }
    return unsafe Loaded(functions: UnsafePointer(functions))
  }

  /// Loads and initializes libcurl on the first call; this also reads the OpenSSL configuration.
  static func load() throws(Unusable) { _ = try loaded.get() }

  static var functions: UnsafePointer<curl_functions> {
    guard case .success(let loaded) = loaded else { preconditionFailure("load() has thrown") }
    return unsafe loaded.functions
  }

  static var certificates: [String] {
    guard let version = unsafe functions.pointee.version_info(CURLVERSION_SEVENTH) else {
      return []
    }
    return unsafe [version.pointee.cainfo, version.pointee.capath].compactMap { path in
      unsafe path.map { unsafe String(cString: $0) }
    }
  }
}

/// A libcurl multi handle with a shared connection pool; it is never freed.
@safe
final class CurlMulti {
  private let handle: UnsafeMutableRawPointer

  init(_ settings: FetchSettings) {
    guard let handle = unsafe Curl.functions.pointee.multi_init() else {
      fatalError("out of memory")
    }
    unsafe self.handle = handle
    // The pool's limit includes both idle and active connections.
    unsafe curl_multi_set_long(Curl.functions, handle, CURLMOPT_MAXCONNECTS, settings.overall * 4)
  }

  func add(_ attempt: Attempt) -> Bool {
    unsafe Curl.functions.pointee.multi_add_handle(handle, attempt.handle) == CURLM_OK
  }

  func remove(_ attempt: Attempt) {
    _ = unsafe Curl.functions.pointee.multi_remove_handle(handle, attempt.handle)
  }

  func perform() {
    var running: Int32 = 0
    _ = unsafe Curl.functions.pointee.multi_perform(handle, &running)
  }

  /// Waits for socket activity; returns whether `descriptor` is readable.
  func wait(_ time: Duration, orFor descriptor: Int32) -> Bool {
    let time = Int32(clamping: time.milliseconds)
    var other = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    let code = unsafe Curl.functions.pointee.multi_poll(handle, &other, 1, time, nil)
    // `poll` fails immediately if memory or descriptors run out; the pause prevents a busy loop.
    if code != CURLM_OK { _ = poll(nil, 0, 10) }
    // Poll again, because libcurl does not report POLLHUP for `descriptor`.
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&input, 1, 0) > 0
  }

  func nextFinished() -> (key: Int, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe Curl.functions.pointee.multi_info_read(handle, &left) {
      if unsafe message.pointee.msg == CURLMSG_DONE {
        return unsafe (Int(bitPattern: message.pointee.easy_handle), message.pointee.data.result)
      }
    }
    return nil
  }
}

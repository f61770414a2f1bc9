import CCurl
import Glibc

/// A URL that libcurl has parsed.
@safe
struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  /// The corresponding C function is `curl_url`.
  init() {
    guard let handle = unsafe curl_url() else { fatalError("out of memory") }
    unsafe self.handle = handle
  }

  deinit {
    unsafe curl_url_cleanup(handle)
  }

  /// Sets a part, or the whole URL; nil removes the part.
  ///
  /// The corresponding C function is `curl_url_set`.
  borrowing func set(_ part: CURLUPart, _ text: String?, _ flags: Int32 = 0) -> CURLUcode {
    unsafe curl_url_set(handle, part, text, UInt32(flags))
  }

  /// Nil when there is no such part.
  ///
  /// The corresponding C function is `curl_url_get`.
  borrowing func get(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }

  /// The host in Punycode.
  ///
  /// libcurl reads names in the encoding of the locale; ours are UTF-8 in any locale.
  borrowing func asciiHost() -> String? {
    guard let host = get(CURLUPART_HOST) else { return nil }
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
    guard let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return nil }
    let before = unsafe uselocale(locale)
    defer {
      _ = unsafe uselocale(before)
      unsafe freelocale(locale)
    }
    return get(CURLUPART_HOST, CURLU_PUNYCODE)
  }
}

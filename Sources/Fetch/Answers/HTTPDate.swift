import CLinux
import Glibc

package enum HTTPDate {
  /// The three date formats of RFC 9110, section 5.6.7.
  private static let forms = [
    "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y",
  ]

  package static func seconds(_ text: some StringProtocol) -> Int64? {
    // `strptime` stops at a zero byte, so it would ignore the rest of the text.
    if text.utf8.contains(0) { return nil }
    for form in forms {
      var time = unsafe tm()
      let isWhole = unsafe String(text).withCString { text in
        unsafe linux_strptime(text, form, &time).map { unsafe $0.pointee == 0 } ?? false
      }
      // Check the year, because `strptime` accepts years of any length.
      if isWhole, unsafe (0..<8_100).contains(time.tm_year) { return Int64(unsafe timegm(&time)) }
    }
    return nil
  }
}

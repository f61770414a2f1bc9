/// Gives pages the script that keeps them up to date.
enum Injection {
  /// Where the script lies; `/-/` is the server's own.
  static let script = "/-/live.js"
  static let events = "/-/events"

  /// The page with the script before its end: the last `</body>`, or else after everything.
  static func into(_ page: [UInt8], revision: Int) -> [UInt8] {
    let element = Array("<script src=\"\(script)\" data-revision=\"\(revision)\"></script>".utf8)
    let place = lastBodyEnd(of: page) ?? page.count
    var result: [UInt8] = []
    result.reserveCapacity(page.count + element.count)
    result += page[..<place]
    result += element
    result += page[place...]
    return result
  }

  private static func lastBodyEnd(of page: [UInt8]) -> Int? {
    let wanted = Array("</body>".utf8)
    guard page.count >= wanted.count else { return nil }
    return (0...(page.count - wanted.count)).reversed().first { start in
      page[start] == wanted[0]
        && wanted.indices.allSatisfy { index in
          let byte = page[start + index]
          return byte == wanted[index]
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
              && byte | 0x20 == wanted[index]
        }
    }
  }
}

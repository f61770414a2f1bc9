/// Numbers, dates and times as TOML writes them.
enum TOMLWord {
  /// The same number in decimal, `inf` or `nan`; nil if it is not a number.
  static func number(_ word: String) -> String? {
    let digits = word.filter { $0 != "_" }
    if let radix = ["0x": 16, "0o": 8, "0b": 2][word.prefix(2)] {
      guard word.wholeMatch(of: /0.[0-9A-Fa-f](?:_?[0-9A-Fa-f])*/) != nil else { return nil }
      return Int64(digits.dropFirst(2), radix: radix).map(String.init)
    }
    if word.wholeMatch(of: /[+-]?(?:inf|nan)/) != nil { return word }
    let decimal =
      /[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?/
    guard word.wholeMatch(of: decimal) != nil else { return nil }
    return String(digits.trimmingPrefix("+"))
  }

  /// Whether it looks like a date, a time, or both with or without an offset; it stays text.
  static func isMoment(_ word: String) -> Bool {
    word.wholeMatch(of: /[0-9]{2,4}[-:][0-9]{2}[-:][0-9]{2}[0-9Tt :.+-]*[Zz]?/) != nil
  }
}

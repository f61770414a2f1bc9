import Bytes

enum TOMLWord {
  /// Returns a number in decimal form, keeps `inf` and `nan`, and returns nil for any other word.
  static func number(_ word: String) -> String? {
    if ["inf", "+inf", "-inf", "nan", "+nan", "-nan"].contains(word) { return word }
    let radix = ["0x": 16, "0o": 8, "0b": 2][word.prefix(2)]
    let isDigit = { (byte: UInt8?) in
      byte.map { radix == nil ? $0.isASCIIDigit : $0.isHexDigit } ?? false
    }
    let groups = word.utf8.dropFirst(radix == nil ? 0 : 2)
      .split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    for (group, next) in zip(groups, groups.dropFirst()) {
      guard isDigit(group.last), isDigit(next.first) else { return nil }
    }
    let digits = String(decoding: groups.joined(), as: UTF8.self)
    if let radix {
      return isDigit(digits.utf8.first) ? Int64(digits, radix: radix).map(String.init) : nil
    }
    let number = digits.first == "+" ? digits.dropFirst() : digits[...]
    return number.utf8.isJSONNumber && !digits.hasPrefix("+-") ? String(number) : nil
  }

  static func isMoment(_ word: String) -> Bool {
    // Look for these characters first, because each call compiles the regular expression again.
    word.utf8.contains { $0 == Byte.minus || $0 == Byte.colon }
      && word.wholeMatch(of: /[0-9]{2,4}[-:][0-9]{2}[-:][0-9]{2}[0-9Tt :.+-]*[Zz]?/) != nil
  }
}

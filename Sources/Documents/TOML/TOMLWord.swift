import Bytes

/// Numbers, dates and times as TOML writes them.
enum TOMLWord {
  /// The same number in decimal, `inf` or `nan`; nil if it is not a number.
  static func number(_ word: String) -> String? {
    let sign = word.prefix { $0 == "-" || $0 == "+" }
    let body = word.dropFirst(sign.count)
    guard sign.count <= 1 else { return nil }
    if body == "inf" || body == "nan" { return word }
    let radix = ["0x": 16, "0o": 8, "0b": 2][body.prefix(2)] ?? 10
    let digits = Array(body.utf8.dropFirst(radix == 10 ? 0 : 2))
    func isDigit(_ index: Int) -> Bool {
      guard digits.indices.contains(index) else { return false }
      return digits[index].hexDigitValue.map { $0 < radix } ?? false
    }
    let isGood = digits.indices.allSatisfy { index in
      switch digits[index] {
      case UInt8(ascii: "_"): isDigit(index - 1) && isDigit(index + 1)
      case Byte.dot: radix == 10 && isDigit(index - 1) && isDigit(index + 1)
      case UInt8(ascii: "e"), UInt8(ascii: "E"), Byte.minus, Byte.plus:
        radix == 10 || isDigit(index)
      default: isDigit(index)
      }
    }
    guard isGood, isDigit(0) else { return nil }
    let text = String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
    if radix != 10 { return sign.isEmpty ? Int64(text, radix: radix).map(String.init) : nil }
    let second = digits.dropFirst().first
    guard Double(text) != nil,
      digits[0] != Byte.zero || !(isDigit(1) || second == UInt8(ascii: "_"))
    else { return nil }
    return (sign == "-" ? "-" : "") + text
  }

  /// Whether it is a date, a time, or both with or without an offset.
  static func isMoment(_ word: String) -> Bool {
    let shape = word.uppercased().utf8.map { $0.isASCIIDigit ? Byte.zero : $0 }
    let numbers = word.utf8.split { !$0.isASCIIDigit }.map { Int(String($0) ?? "") ?? 0 }
    var rest = String(decoding: shape, as: UTF8.self)[...]
    func takes(_ part: String) -> Bool {
      guard rest.hasPrefix(part) else { return false }
      rest.removeFirst(part.count)
      return true
    }
    let hasDate = takes("0000-00-00")
    if hasDate {
      guard isDate(numbers) else { return false }
      if rest.isEmpty { return true }
      guard takes("T") || takes(" ") else { return false }
    }
    guard takes("00:00:00") else { return false }
    if takes(".0") { while takes("0") {} }
    let hasOffset = hasDate && (takes("+00:00") || takes("-00:00"))
    guard hasOffset || !hasDate || takes("Z") || rest.isEmpty, rest.isEmpty else { return false }
    let times = [
      Array(numbers.dropFirst(hasDate ? 3 : 0)), hasOffset ? numbers.suffix(2) : [0, 0],
    ]
    return times[0].count >= 3 && times[0][2] <= 60 && times.allSatisfy { $0[0] < 24 && $0[1] < 60 }
  }

  private static func isDate(_ numbers: [Int]) -> Bool {
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...12 ~= month && 1...days[month - 1] ~= day
  }
}

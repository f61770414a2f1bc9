/// Numbers as people read them; in English, like all messages.
package enum Figures {
  /// `1,234,567`.
  package static func count(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `1 user`, `1,234 users`.
  package static func count(_ number: Int, _ noun: String, _ nouns: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? noun : nouns ?? noun + "s")"
  }

  /// `340 ms`, `2.41 s`, `3 min 5 s`, `2 h 10 min`.
  package static func time(_ nanoseconds: Int) -> String {
    let nanoseconds = max(nanoseconds, 0)
    switch nanoseconds {
    case 0: return "0 s"
    case ..<1_000_000: return "\(decimal(nanoseconds, in: 1_000_000)) ms"
    case ..<999_500_000: return "\((nanoseconds + 500_000) / 1_000_000) ms"
    case ..<59_950_000_000: return "\(decimal(nanoseconds, in: 1_000_000_000)) s"
    default:
      let seconds = (nanoseconds + 500_000_000) / 1_000_000_000
      if seconds < 3600 { return joined(seconds / 60, "min", seconds % 60, "s") }
      let minutes = (seconds + 30) / 60
      return joined(minutes / 60, "h", minutes % 60, "min")
    }
  }

  /// `812 B`, `4.9 kB`, `12 MB`: thousands, as disks and networks count.
  package static func bytes(_ bytes: Int) -> String {
    let bytes = max(bytes, 0)
    for (unit, name) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
    where bytes >= unit - unit / 2000 {
      return "\(decimal(bytes, in: unit)) \(name)"
    }
    return "\(bytes) B"
  }

  /// `62 %`; a small share that is not zero is `< 1 %`.
  package static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return "0 %" }
    let percent = Int((Double(part) * 100 / Double(whole)).rounded())
    return percent == 0 ? "< 1 %" : "\(count(percent)) %"
  }

  private static func joined(_ one: Int, _ unit: String, _ other: Int, _ small: String) -> String {
    other == 0 ? "\(count(one)) \(unit)" : "\(count(one)) \(unit) \(other) \(small)"
  }

  /// Three significant digits, without zeros at the end.
  private static func decimal(_ value: Int, in unit: Int) -> String {
    let places = value >= unit * 100 ? 0 : value >= unit * 10 ? 1 : 2
    let power = [1, 10, 100][places]
    let rounded = Int((Double(value) * Double(power) / Double(unit)).rounded())
    let (whole, fraction) = (rounded / power, rounded % power)
    guard fraction > 0 else { return count(whole) }
    var digits = String(fraction)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(count(whole)).\(digits)"
  }
}

import Bytes

extension Double {
  /// `3` for 3.0.
  package var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

/// The value of a number as JSON writes it, such as `-12`, `0.5` and `1e3`; nil for `+1`, `.5`, `010`,
/// `0x10`, `1_000` and `inf`.
func decimal(_ text: String) -> Double? {
  guard text.utf8.count < 400,
    text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) }),
    let value = Double(text)
  else { return nil }
  let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
  let whole = digits.prefix(while: \.isASCIIDigit)
  let rest = digits.dropFirst(whole.count)
  guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else { return nil }
  let hasEmptyFraction =
    rest.first == UInt8(ascii: ".") && rest.dropFirst().first?.isASCIIDigit != true
  return hasEmptyFraction ? nil : value
}

/// The numbers that a field takes.
struct NumberRange {
  var lowest: Double
  var highest: Double
  var excludesLowest = false
  /// What to do, as a help line.
  var text: String

  func contains(_ value: Double) -> Bool {
    value.isFinite && value <= highest && (excludesLowest ? value > lowest : value >= lowest)
  }

  /// A width or height in points.
  static let size = NumberRange(
    lowest: 0, highest: ManifestLimits.length, excludesLowest: true,
    text: "a size is above 0 and at most 16384 points")
  /// A radius or the width of a border, in points.
  static let length = NumberRange(
    lowest: 0, highest: ManifestLimits.length, text: "a length is from 0 to 16384 points")
  static let scale = NumberRange(
    lowest: 0, highest: ManifestLimits.largestScale, excludesLowest: true,
    text: "a scale is above 0 and at most 10")
  static let percentage = NumberRange(
    lowest: 0, highest: 100, text: "a percentage is from 0% to 100%")
  /// How far something is moved or drawn out, in points.
  static let offset = NumberRange(
    lowest: -ManifestLimits.length, highest: ManifestLimits.length,
    text: "what is moved or drawn out takes -16384 to 16384 points")
  static let degrees = NumberRange(
    lowest: -36_000, highest: 36_000, text: "an angle is from -36000 to 36000 degrees")
  static let headRoom = NumberRange(
    lowest: 0, highest: 10, text: "a head room is from 0 to 10 heights of the face")
  static let headRoomPercentage = NumberRange(
    lowest: 0, highest: 1_000, text: "a head room is from 0% to 1000% of the face's height")
  static let bytes = NumberRange(
    lowest: 1, highest: 1e12, text: "a limit is a whole number of bytes from 1")
  static let quality = NumberRange(
    lowest: 1, highest: 100, text: "a quality is a whole number from 1 to 100")
  static let pageSize = NumberRange(
    lowest: 10, highest: 1_000, text: "a page has 10 to 1000 people")
  static let any = NumberRange(
    lowest: -.greatestFiniteMagnitude, highest: .greatestFiniteMagnitude,
    text: "a number has at most 308 digits")
  static let port = NumberRange(
    lowest: 1, highest: 65_535, text: "a port is a whole number from 1 to 65535")
  static let days = NumberRange(
    lowest: 0, highest: 36_500, text: "a time is 0 to 36500 days")
  static let connections = NumberRange(
    lowest: 1, highest: 64, text: "at once are 1 to 64 requests")
}

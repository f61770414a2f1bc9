import Bytes
import Recipes

extension Double {
  /// `3` for 3.0.
  package var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }

  /// `1 point`, `3 points`.
  package var points: String { self == 1 ? "1 point" : "\(plain) points" }
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
  let numbers: ClosedRange<Double>
  /// What to do, as a help line.
  let text: String

  init(_ numbers: ClosedRange<Double>, _ text: String) {
    self.numbers = numbers
    self.text = text
  }

  /// The least number above 0.
  private static let least = Double.leastNonzeroMagnitude
  /// Above 0, not from 0.
  var isOpen: Bool { numbers.lowerBound == Self.least }

  /// `from 0 to 16,384`, for the docs.
  var words: String {
    let (first, last) = (Int(numbers.lowerBound).grouped, Int(numbers.upperBound).grouped)
    return isOpen ? "above 0, up to \(last)" : first == last ? first : "from \(first) to \(last)"
  }

  private static let longest = ManifestLimits.length

  /// A width or height in points.
  static let size = NumberRange(least...longest, "a size is above 0 and at most 16384 points")
  /// A radius or the width of a border, in points.
  static let length = NumberRange(0...longest, "a length is from 0 to 16384 points")
  static let scale = NumberRange(
    least...ManifestLimits.largestScale, "a scale is above 0 and at most 10")
  static let percentage = NumberRange(0...100, "a percentage is from 0% to 100%")
  /// How far something is moved or drawn out, in points.
  static let offset = NumberRange(
    -longest...longest, "what is moved or drawn out takes -16384 to 16384 points")
  static let degrees = NumberRange(
    -36_000...36_000, "an angle is from -36000 to 36000 degrees")
  static let headRoom = NumberRange(0...10, "a head room is from 0 to 10 heights of the face")
  static let headRoomPercentage = NumberRange(
    0...1_000, "a head room is from 0% to 1000% of the face's height")
  static let bytes = NumberRange(1...1e12, "a limit is a whole number of bytes from 1")
  static let quality = NumberRange(1...100, "a quality is a whole number from 1 to 100")
  static let pageSize = NumberRange(10...1_000, "a page has 10 to 1000 people")
  static let posterSize = NumberRange(8...1_024, "a size is 8 to 1024 whole points")
  static let columns = NumberRange(1...100, "there are 1 to 100 columns")
  static let gap = NumberRange(0...256, "a gap is 0 to 256 whole points")
  static let version = NumberRange(
    Double(ManifestLimits.version)...Double(ManifestLimits.version),
    "write `version: \(ManifestLimits.version)`")
  static let any = NumberRange(
    -.greatestFiniteMagnitude ... .greatestFiniteMagnitude, "a number has at most 308 digits")
  static let port = NumberRange(1...65_535, "a port is a whole number from 1 to 65535")
  static let days = NumberRange(0...36_500, "a time is 0 to 36500 days")
  static let connections = NumberRange(1...64, "at once are 1 to 64 requests")
}

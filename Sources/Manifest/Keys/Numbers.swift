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
  text.utf8.count < 400 && text.utf8.isJSONNumber ? Double(text) : nil
}

struct NumberRange {
  let numbers: ClosedRange<Double>

  init(_ numbers: ClosedRange<Double>) { self.numbers = numbers }

  /// The least number above 0.
  private static let least = Double.leastNonzeroMagnitude
  var isOpen: Bool { numbers.lowerBound == Self.least }

  /// `from 0 to 16,384`, for the docs.
  var words: String {
    let (first, last) = (Int(numbers.lowerBound).grouped, Int(numbers.upperBound).grouped)
    return isOpen ? "above 0, up to \(last)" : first == last ? first : "from \(first) to \(last)"
  }

  var help: String { "write a number \(words)" }

  private static let longest = ManifestLimits.length

  /// A width or height in points.
  static let size = NumberRange(least...longest)
  /// A radius or the width of a border, in points.
  static let length = NumberRange(0...longest)
  static let scale = NumberRange(least...ManifestLimits.largestScale)
  static let percentage = NumberRange(0...100)
  /// How far something is moved or drawn out, in points.
  static let offset = NumberRange(-longest...longest)
  static let version = NumberRange(
    Double(ManifestLimits.version)...Double(ManifestLimits.version))
}

import Bytes
import Recipes

extension Double {
  package var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }

  package var points: String { self == 1 ? "1 point" : "\(plain) points" }
}

/// Parses a number in JSON syntax, such as `-12`, `0.5` and `1e3`; rejects `+1`, `.5`, `010`,
/// `0x10`, `1_000` and `inf`.
func decimal(_ text: String) -> Double? {
  text.utf8.count < 400 && text.utf8.isJSONNumber ? Double(text) : nil
}

struct NumberRange {
  let numbers: ClosedRange<Double>

  init(_ numbers: ClosedRange<Double>) { self.numbers = numbers }

  private static let least = Double.leastNonzeroMagnitude
  var isOpen: Bool { numbers.lowerBound == Self.least }

  var words: String {
    let (first, last) = (Int(numbers.lowerBound).grouped, Int(numbers.upperBound).grouped)
    return isOpen ? "above 0 and up to \(last)" : first == last ? first : "from \(first) to \(last)"
  }

  var help: String { "write a number \(words)" }

  private static let longest = ManifestLimits.length

  static let size = NumberRange(least...longest)
  static let length = NumberRange(0...longest)
  static let scale = NumberRange(least...ManifestLimits.largestScale)
  static let percentage = NumberRange(0...100)
  static let offset = NumberRange(-longest...longest)
  static let version = NumberRange(Double(ManifestLimits.version)...Double(ManifestLimits.version))
}

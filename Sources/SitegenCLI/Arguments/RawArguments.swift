import Diagnostics
import Manifest
package import Recipes

/// The words after a command, each checked on its own; commands build their options from them.
package struct RawArguments: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case flag
    case text(String)
    case number(Int)
    case seed(UInt64)
    case size(PixelSize)
  }

  /// If an option is given twice the last one counts, so that a script's options can be overridden.
  private var values: [String: Value] = [:]
  package private(set) var operands: [String] = []

  package init() {}

  mutating func set(_ option: Option, _ value: Value) {
    values[option.name] = value
  }

  mutating func add(operand: String) {
    operands.append(operand)
  }

  /// For commands whose first word is no PATH.
  mutating func takeFirst() -> String { operands.removeFirst() }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package func text(_ option: Option) -> String? {
    if case .text(let text) = values[option.name] { text } else { nil }
  }

  package func number(_ option: Option) -> Int? {
    if case .number(let number) = values[option.name] { number } else { nil }
  }

  package func seed(_ option: Option) -> UInt64? {
    if case .seed(let seed) = values[option.name] { seed } else { nil }
  }

  package func size(_ option: Option) -> PixelSize? {
    if case .size(let size) = values[option.name] { size } else { nil }
  }
}

extension RawArguments.Value {
  /// Reads a word as the option wants it; the error says what that is.
  init(_ word: String, for option: Option) throws(Diagnosis) {
    switch option.kind {
    case .flag:
      self = .flag
    case .text(let placeholder):
      // An empty path comes from a shell variable that was not set.
      guard !word.isEmpty else { throw Diagnosis("is empty", "give it a \(placeholder)") }
      self = .text(word)
    case .number(_, let range):
      guard let number = Int(word), !word.hasPrefix("+") else {
        throw Diagnosis(
          "\(word.quoted) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      guard range.contains(number) else {
        throw Diagnosis("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
      }
      self = .number(number)
    case .seed:
      guard let seed = UInt64(word), !word.hasPrefix("+") else {
        throw Diagnosis("\(word.quoted) is not a whole number from 0 to \(UInt64.max)")
      }
      self = .seed(seed)
    case .size:
      let sides = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1] else {
        throw Diagnosis("\(word.quoted) is not a size", "write it as 512x384")
      }
      // The raw pixels must fit into a worker's request.
      guard width > 0, height > 0, width <= 8192, height <= 8192, width * height <= 16_000_000
      else {
        throw Diagnosis(
          "\(word) is too small or too large",
          "a side has 1 to 8192 pixels, a picture at most 16 megapixels")
      }
      self = .size(PixelSize(width: width, height: height))
    case .choice(let words):
      guard words.contains(word) else {
        throw Diagnosis(
          "\(word.quoted) is not one of \(words.joined(separator: ", "))",
          nearest(to: word, among: words).map { "did you mean \($0)?" })
      }
      self = .text(word)
    }
  }

  /// What is wrong with a value, and what to do.
  struct Diagnosis: Error {
    var message: String
    var help: String?

    init(_ message: String, _ help: String? = nil) {
      self.message = message
      self.help = help
    }
  }
}

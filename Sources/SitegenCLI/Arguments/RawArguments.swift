import Diagnostics
import Manifest

/// A command's arguments, validated one by one; each command checks their combinations.
package struct RawArguments: Hashable, Sendable {
  /// Later values override earlier ones, so that users can override a script's options.
  private var values: [String: String] = [:]
  package private(set) var operands: [String] = []

  package init() {}

  mutating func set(_ option: Option, _ value: String) { values[option.name] = value }

  mutating func add(operand: String) { operands.append(operand) }

  /// Removes and returns the operand before PATH.
  mutating func takeFirst() -> String { operands.removeFirst() }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package func text(_ option: Option) -> String? { values[option.name] }

  package func number(_ option: Option) -> Int? { values[option.name].flatMap { Int($0) } }
}

extension Option {
  /// Returns the problem with an invalid value, with optional help; nil if the value is valid.
  func flaw(of word: String) -> (message: String, help: String?)? {
    switch kind {
    case .flag: return nil
    case .text(let placeholder):
      // An empty path usually comes from an unset shell variable.
      return word.isEmpty ? ("it is empty", "specify a \(placeholder)") : nil
    case .number(_, let range):
      if let number = Int(word), !word.hasPrefix("+"), range.contains(number) { return nil }
      let numbers = "\(range.lowerBound) to \(range.upperBound)"
      return ("\(word.quoted) is not a whole number from \(numbers)", nil)
    case .choice(let words):
      if words.contains(word) { return nil }
      let near = nearest(to: word, among: words).map { "did you mean \($0)?" }
      return ("\(word.quoted) is not one of \(words.joined(separator: ", "))", near)
    }
  }
}

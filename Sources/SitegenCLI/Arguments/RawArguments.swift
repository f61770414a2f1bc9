import Diagnostics
import Manifest

/// The arguments of a command, each checked on its own; commands build their options from them.
package struct RawArguments: Hashable, Sendable {
  /// If an option is given twice the last one counts, so that a script's options can be overridden.
  private var values: [String: String] = [:]
  package private(set) var operands: [String] = []

  package init() {}

  /// The value of a flag is empty.
  mutating func set(_ option: Option, _ value: String) {
    values[option.name] = value
  }

  mutating func add(operand: String) {
    operands.append(operand)
  }

  /// For commands whose first operand is not PATH.
  mutating func takeFirst() -> String { operands.removeFirst() }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package func text(_ option: Option) -> String? { values[option.name] }

  package func number(_ option: Option) -> Int? { values[option.name].flatMap { Int($0) } }
}

extension Option {
  /// Why a word is not a value of the option; nil if it is one.
  func flaw(of word: String) -> (message: String, help: String?)? {
    switch kind {
    case .flag: return nil
    case .text(let placeholder):
      // An empty path comes from a shell variable that was not set.
      return word.isEmpty ? ("it is empty", "give it a \(placeholder)") : nil
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

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
  /// Why a word is not a value of the option.
  struct Misfit: Error {
    var message: String
    var help: String?
  }

  func check(_ word: String) throws(Misfit) {
    switch kind {
    case .flag: break
    case .text(let placeholder):
      // An empty path comes from a shell variable that was not set.
      if word.isEmpty { throw Misfit(message: "it is empty", help: "give it a \(placeholder)") }
    case .number(_, let range):
      guard let number = Int(word), !word.hasPrefix("+") else {
        throw Misfit(
          message:
            "\(word.quoted) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      guard range.contains(number) else {
        throw Misfit(
          message: "\(number) is not from \(range.lowerBound) to \(range.upperBound)")
      }
    case .choice(let words):
      guard words.contains(word) else {
        throw Misfit(
          message: "\(word.quoted) is not one of \(words.joined(separator: ", "))",
          help: nearest(to: word, among: words).map { "did you mean \($0)?" })
      }
    }
  }
}

import Diagnostics
import Manifest

/// The arguments of a command, each checked on its own; commands build their options from them.
package struct RawArguments: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case flag
    case text(String)
    case number(Int)
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

  /// For commands whose first operand is not PATH.
  mutating func takeFirst() -> String { operands.removeFirst() }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package func text(_ option: Option) -> String? {
    if case .text(let text) = values[option.name] { text } else { nil }
  }

  package func number(_ option: Option) -> Int? {
    if case .number(let number) = values[option.name] { number } else { nil }
  }
}

extension RawArguments.Value {
  /// Reads the value of an option.
  init(_ word: String, for option: Option) throws(Diagnosis) {
    switch option.kind {
    case .flag:
      self = .flag
    case .text(let placeholder):
      // An empty path comes from a shell variable that was not set.
      guard !word.isEmpty else { throw Diagnosis("it is empty", "give it a \(placeholder)") }
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
    case .choice(let words):
      guard words.contains(word) else {
        throw Diagnosis(
          "\(word.quoted) is not one of \(words.joined(separator: ", "))",
          nearest(to: word, among: words).map { "did you mean \($0)?" })
      }
      self = .text(word)
    }
  }

  struct Diagnosis: Error {
    var message: String
    var help: String?

    init(_ message: String, _ help: String? = nil) {
      self.message = message
      self.help = help
    }
  }
}

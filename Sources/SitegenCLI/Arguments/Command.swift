package import Diagnostics
import Sitegen

/// One verb after `sitegen`: what it takes, what its help says, what it does.
package struct Command: Sendable {
  /// A mistake in the words typed, found only when they are put together: exit status 2.
  package typealias Mistake = Diagnostic

  package struct Operand: Sendable {
    package var name: String
    package var help: String
    package var isRequired: Bool
  }

  package var name: String
  /// One sentence without a full stop, for the list of commands.
  package var summary: String
  package var operand: Operand?
  /// Comes after the first; then both are required.
  package var secondOperand: Operand?
  package var options: [Option]
  /// Paragraphs under the options.
  package var notes: [String]
  package var run: @Sendable (RawArguments, Session) throws(Mistake) -> ExitStatus

  package init(
    _ name: String, _ summary: String, operand: Operand? = nil, secondOperand: Operand? = nil,
    options: [Option] = [], notes: [String] = [],
    run: @escaping @Sendable (RawArguments, Session) throws(Mistake) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.secondOperand = secondOperand
    self.options = options
    self.notes = notes
    self.run = run
  }
}

extension Command {
  /// The words that it takes beside options, in their order.
  package var operands: [Operand] { [operand, secondOperand].compactMap(\.self) }

  /// Every command, in the order of the help page.
  package static let all: [Command] = [
    build, serve, check, diff, clean, prune, initialize, mock, doctor, version, help,
  ]

  package static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}

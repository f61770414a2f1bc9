package import Diagnostics

package struct Command: Sendable {
  package struct Operand: Sendable {
    package var name: String
    package var help: String
    package var isRequired = true

    static let site = Operand(
      name: "PATH",
      help:
        "the folder of a site, a list of people or its URL, or a folder of pictures; by default "
        + "this folder",
      isRequired: false)
  }

  package var name: String
  /// A sentence without a full stop, for the list of commands.
  package var summary: String
  /// In order; all but the last are required.
  package var operands: [Operand]
  package var options: [Option]
  package var notes: [String]
  /// Throws for conflicting arguments: exit status 2.
  package var run: @Sendable (RawArguments, Session) throws(Diagnostic) -> ExitStatus

  package init(
    _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [],
    notes: [String] = [],
    run: @escaping @Sendable (RawArguments, Session) throws(Diagnostic) -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.notes = notes
    self.run = run
  }
}

extension Command {
  /// All commands, in the order of the help page.
  package static let all: [Command] = [
    build, serve, check, verify, explain, diff, clean, prune, schedule, initialize, schema, doctor,
    version, help,
  ]

  package static func named(_ name: String) throws(Diagnostic) -> Command {
    guard let command = all.first(where: { $0.name == name }) else { throw .unknownCommand(name) }
    return command
  }
}

package struct Option: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case flag
    case text(String)
    case number(String, ClosedRange<Int>)
    case choice([String])
  }

  /// Without the dashes.
  package var name: String
  package var letter: Character?
  package var kind: Kind
  package var absent: String?
  /// A sentence without a full stop.
  package var help: String

  package init(
    _ name: String, _ kind: Kind, letter: Character? = nil, absent: String? = nil, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.kind = kind
    self.absent = absent
    self.help = help
  }

  package init(flag name: String, letter: Character? = nil, _ help: String) {
    self.init(name, .flag, letter: letter, help)
  }

  package var isFlag: Bool { kind == .flag }

  func isNamed(_ word: String) -> Bool { word == "--\(name)" || word == letter.map { "-\($0)" } }

  package var usage: String {
    switch kind {
    case .flag: "--\(name)"
    case .text(let word), .number(let word, _): "--\(name) \(word)"
    case .choice(let words): "--\(name) \(words.joined(separator: "|"))"
    }
  }
}

package import Diagnostics

package struct Command: Sendable {
  package struct Operand: Sendable {
    package var name: String
    package var help: String
    package var isRequired = true

    static let site = Operand(
      name: "PATH",
      help:
        "a site's folder, a list of people or its URL, or a folder of pictures; by default the "
        + "current folder",
      isRequired: false)
  }

  package var name: String
  /// A sentence without a full stop, for the list of commands.
  package var summary: String
  /// In order; all but the last are required.
  package var operands: [Operand]
  /// Exactly one of these options is needed, which the command checks; empty for most commands.
  package var oneOf: [Option]
  package var options: [Option]
  /// The exit codes beside 0 and 2; 128 stands for all signals.
  package var exits: [Int32]
  /// Throws for conflicting arguments: exit status 2.
  package var run: @Sendable (RawArguments, Session) throws(Diagnostic) -> ExitStatus

  package init(
    _ name: String, _ summary: String, operands: [Operand] = [], oneOf: [Option] = [],
    options: [Option] = [], exits: [Int32] = [],
    run: @escaping @Sendable (RawArguments, Session) throws(Diagnostic) -> ExitStatus
  ) {
    (self.name, self.summary, self.operands, self.oneOf) = (name, summary, operands, oneOf)
    (self.options, self.exits, self.run) = (oneOf + options, exits, run)
  }
}

extension Command {
  /// All commands, as the help page groups them.
  package static let groups: KeyValuePairs = [
    "Start": [initialize, doctor, schema, help, version],
    "Build": [build, serve, schedule],
    "Inspect": [check, verify, explain, diff],
    "Maintain": [clean, prune],
  ]

  package static let all = groups.flatMap(\.value)

  package static func named(_ name: String) throws(Diagnostic) -> Command {
    guard let command = all.first(where: { $0.name == name }) else { throw .unknownCommand(name) }
    return command
  }
}

/// The one declaration of an option: parsing, help, docs, man page and completions come from it.
package struct Option: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case flag
    case text(String)
    case number(String, ClosedRange<Int>)
    case choice([String])
  }

  /// The headings of a help page, in this order.
  package enum Group: String, CaseIterable, Sendable {
    case own = "Options"
    case output = "Output"
    case network = "Network"
    case cache = "Cache"
    case limits = "Limits"
    case common = "Common"
  }

  /// Without the dashes.
  package var name: String
  package var letter: Character?
  package var kind: Kind
  package var absent: String?
  package var environment: String?
  package var group: Group
  /// A sentence without a full stop.
  package var help: String

  package init(
    _ name: String, _ kind: Kind = .flag, letter: Character? = nil, absent: String? = nil,
    environment: String? = nil, in group: Group, _ help: String
  ) {
    (self.name, self.kind, self.letter, self.absent) = (name, kind, letter, absent)
    (self.environment, self.group, self.help) = (environment, group, help)
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

  /// Its range, default and environment variable, each in brackets.
  var limits: [String] {
    var limits: [String] = []
    if case .number(_, let range) = kind {
      limits.append("[range: \(range.lowerBound) to \(range.upperBound)]")
    }
    if let absent { limits.append("[default: \(absent)]") }
    if let environment { limits.append("[env: \(environment)]") }
    return limits
  }
}

package import Diagnostics

package struct Command: Sendable {
  package struct Operand: Sendable {
    package var name: String
    package var help: String
    package var isRequired = true

    static let site = Operand(
      name: "PATH",
      help:
        "a site folder, a list of people (file or URL), or a folder of pictures; defaults to the "
        + "current folder",
      isRequired: false)
  }

  package var name: String
  package var summary: String
  /// Only the last operand may be optional.
  package var operands: [Operand]
  /// Exactly one of these options must be given; the command checks this.
  package var oneOf: [Option]
  package var options: [Option]
  /// Exit codes besides 0 and 2; 128 stands for 128 plus the number of any signal.
  package var exits: [Int32]
  /// Throws if arguments conflict; the exit status is then 2.
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

/// A command-line option; parsing, help, docs, man page and completions use this declaration.
package struct Option: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case flag
    case text(String)
    case number(String, ClosedRange<Int>)
    case choice([String])
  }

  package enum Group: String, CaseIterable, Sendable {
    case own = "Options"
    case output = "Output"
    case network = "Network"
    case cache = "Cache"
    case limits = "Limits"
    case common = "Common"
  }

  package var name: String
  package var letter: Character?
  package var kind: Kind
  package var absent: String?
  package var environment: String?
  package var group: Group
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

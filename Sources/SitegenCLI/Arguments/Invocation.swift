package import Diagnostics
import Manifest

/// What the words of the command line ask for.
package enum Invocation: Sendable {
  case run(Command, RawArguments)
  /// The page of a command, or the list of all commands.
  case help(Command?)
  /// No words were typed.
  case nothing

  /// Reads the words after the program's name; the failure is a message for the user.
  ///
  /// Rules: the command comes first; `--name=value` and `--name value` are the same, and so are
  /// `-jN` and `-j N`; `--` ends the options; of an option given twice the last one counts; names
  /// are never shortened.
  package init(_ words: [String]) throws(Diagnostic) {
    guard let first = words.first else {
      self = .nothing
      return
    }
    switch first {
    case "--help", "-h":
      self = .help(nil)
    case "--version", "-V":
      self = .run(.version, RawArguments())
    default:
      self = try Self.read(words.dropFirst(), try Command.named(first))
    }
  }

  private static func read(
    _ words: ArraySlice<String>, _ command: Command
  ) throws(Diagnostic) -> Invocation {
    var arguments = RawArguments()
    var words = words
    var isPastOptions = false
    while let word = words.popFirst() {
      if isPastOptions || word == "-" || !word.hasPrefix("-") {
        try add(operand: word, to: &arguments, command)
      } else if word == "--" {
        isPastOptions = true
      } else if word == "--help" || word == "-h" {
        return .help(command)
      } else {
        try read(option: word, &words, into: &arguments, command)
      }
    }
    let missing = command.operands.dropFirst(arguments.operands.count)
    if let operand = missing.first(where: \.isRequired) {
      throw .usage(
        .missingOperand, "`\(command.name)` needs \(operand.name): \(operand.help)", command.name)
    }
    return .run(command, arguments)
  }

  private static func add(
    operand: String, to arguments: inout RawArguments, _ command: Command
  ) throws(Diagnostic) {
    let operands = command.operands
    guard let last = operands.last else {
      throw .usage(.unexpectedWord, "`\(command.name)` takes no \(operand.quoted)", command.name)
    }
    guard arguments.operands.count < operands.count else {
      let names = operands.map(\.name).joined(separator: " and ")
      throw .usage(
        .unexpectedWord,
        operands.count == 1
          ? "`\(command.name)` takes one \(last.name), and \(operand.quoted) is a second"
          : "`\(command.name)` takes \(names), and \(operand.quoted) is one too many", command.name)
    }
    guard !operand.isEmpty else {
      throw .usage(
        .badValue, "\(operands[arguments.operands.count].name) is empty", command.name)
    }
    arguments.add(operand: operand)
  }

  private static func read(
    option word: String, _ rest: inout ArraySlice<String>, into arguments: inout RawArguments,
    _ command: Command
  ) throws(Diagnostic) {
    let isLong = word.hasPrefix("--")
    let end =
      isLong ? word.firstIndex(of: "=") ?? word.endIndex : word.index(word.startIndex, offsetBy: 2)
    let name = String(word[..<end])
    var text = end == word.endIndex ? nil : String(word[end...].dropFirst(isLong ? 1 : 0))
    guard let option = command.options.first(where: { $0.isNamed(name) }) else {
      throw .unknownOption(isLong ? name : word, command)
    }
    if option.isFlag {
      guard text == nil else {
        throw .usage(.badValue, "\(name) takes no value", command.name)
      }
      arguments.set(option, .flag)
      return
    }
    // A word that looks like an option is one; a value that begins with a dash must follow `=`.
    if text == nil, let next = rest.first, next == "-" || !next.hasPrefix("-") {
      text = rest.removeFirst()
    }
    guard let text else {
      throw .usage(
        .missingValue, "\(name) needs a value", command.name, help: "write \(option.usage)")
    }
    do throws(RawArguments.Value.Diagnosis) {
      arguments.set(option, try RawArguments.Value(text, for: option))
    } catch {
      throw .usage(.badValue, "\(name): \(error.message)", command.name, help: error.help)
    }
  }
}

// MARK: - Messages

extension Diagnostic {
  /// A mistake in the words typed; without a better help, the page of the command is named.
  package static func usage(
    _ id: DiagnosticID, _ message: String, _ command: String? = nil, help: String? = nil
  ) -> Diagnostic {
    let page = command.map { "sitegen help \($0)" } ?? "sitegen help"
    return Diagnostic(.error, id.rawValue, message, help: help ?? "`\(page)` tells how it is used")
  }

  static func unknownCommand(_ word: String) -> Diagnostic {
    let shown = word.quoted
    if ["plan", "render", "status", "assemble", "emit"].contains(word) {
      return usage(
        .unknownCommand, "the command \(shown) was removed",
        help: "run `sitegen build --shard I/N --store DIR` on each machine, then `sitegen build "
          + "--store DIR`; docs/distributed.md has files for schedulers")
    }
    if word == "mock" {
      return usage(
        .unknownCommand, "the command \(shown) was removed",
        help: "`sitegen init DIR` writes a small example; script/sample-people in the repository "
          + "makes large ones")
    }
    let near = nearest(to: word, among: Command.all.map(\.name))
    if word.hasPrefix("-") {
      return usage(
        .unknownCommand, "expected a command, found \(shown)",
        help: "options follow the command: `sitegen build \(word)`")
    }
    return usage(
      .unknownCommand, "unknown command \(shown)",
      help: near.map { "did you mean `\($0)`?" } ?? "`sitegen help` lists the commands")
  }

  /// What to use in place of an option of an earlier version.
  private static let removedOptions = [
    "prune --keep": "`prune --store` deletes what is older than --max-age; --dry-run only counts",
    "prune --delete": "`prune --store` deletes at once; --dry-run only counts",
    "build --report-page": "it was removed; `report.json` in the cache has the figures",
    "schedule --report-page": "it was removed; `report.json` in the cache has the figures",
    "serve --foreign": "it was removed; serve other files with `python3 -m http.server`",
  ]

  fileprivate static func unknownOption(_ name: String, _ command: Command) -> Diagnostic {
    let names = command.options.map { "--\($0.name)" } + ["--help"]
    let start = names.filter { $0.hasPrefix(name) && name.count > 3 }
    let near = start.count == 1 ? start[0] : nearest(to: name, among: names)
    let elsewhere = Command.all.filter { $0.options.contains { "--\($0.name)" == name } }
    let help: String? =
      if let removed = removedOptions["\(command.name) \(name)"] {
        removed
      } else if let near {
        "did you mean \(near)?"
      } else if !elsewhere.isEmpty {
        "it belongs to " + elsewhere.map { "`\($0.name)`" }.joined(separator: ", ")
      } else {
        nil
      }
    return usage(
      .unknownOption, "`\(command.name)` has no option \(name.quoted)", command.name, help: help)
  }
}

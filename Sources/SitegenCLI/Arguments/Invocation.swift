package import Diagnostics
import Foundation
import Manifest

package enum Invocation: Sendable {
  case run(Command, RawArguments)
  /// A command's help page, or the list of all commands if the command is nil.
  case help(Command?, isShort: Bool = false)
  case nothing

  /// Parses the arguments that follow the program name.
  ///
  /// The command comes first. `--name=value` means `--name value`, and `-jN` means `-j N`. Options
  /// end at `--`, and repeated options override earlier ones. Names cannot be abbreviated.
  package init(_ words: [String]) throws(Diagnostic) {
    guard let first = words.first else {
      self = .nothing
      return
    }
    switch first {
    case "--help", "-h": self = .help(nil)
    case "--version", "-V": self = .run(.version, RawArguments())
    default: self = try Self.read(words.dropFirst(), try Command.named(first))
    }
  }

  /// Returns a suggestion to add quotes if several words, joined by spaces, name an existing file.
  private static func quoting(_ words: [String]) -> String? {
    for start in words.indices.prefix(20) {
      for end in words.indices.prefix(20).dropFirst(start + 1).reversed() {
        let name = words[start...end].joined(separator: " ")
        guard FileManager.default.fileExists(atPath: name) else { continue }
        let line = words[..<start] + [name] + words[(end + 1)...]
        return "quote it: sitegen " + line.map(\.shellWord).joined(separator: " ")
      }
    }
    return nil
  }

  private static func read(
    _ words: ArraySlice<String>, _ command: Command
  ) throws(Diagnostic) -> Invocation {
    var arguments = RawArguments()
    let all = [command.name] + words
    var words = words
    var isPastOptions = false
    while let word = words.popFirst() {
      if isPastOptions || word == "-" || !word.hasPrefix("-") {
        try add(operand: word, of: all, to: &arguments, command)
      } else if word == "--" {
        isPastOptions = true
      } else if word == "--help" || word == "-h" {
        return .help(command, isShort: word == "-h")
      } else {
        try read(option: word, &words, into: &arguments, command)
      }
    }
    let missing = command.operands.dropFirst(arguments.operands.count)
    if let operand = missing.first(where: \.isRequired) {
      throw .usage(.missingOperand, "missing \(operand.name): \(operand.help)", command.name)
    }
    return .run(command, arguments)
  }

  private static func add(
    operand: String, of all: [String], to arguments: inout RawArguments, _ command: Command
  ) throws(Diagnostic) {
    let operands = command.operands
    guard !operands.isEmpty else {
      throw .usage(.unexpectedWord, "unexpected argument \(operand.quoted)", command.name)
    }
    guard arguments.operands.count < operands.count else {
      let names = operands.map(\.name).joined(separator: " and ")
      throw .usage(
        .unexpectedWord, "unexpected argument \(operand.quoted) after \(names)", command.name,
        help: quoting(all))
    }
    guard !operand.isEmpty else {
      throw .usage(.badValue, "\(operands[arguments.operands.count].name) is empty", command.name)
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
        throw .usage(.badValue, "\(name) does not take a value", command.name)
      }
      arguments.set(option, "")
      return
    }
    // A value that begins with a dash needs `=`; otherwise, it would be mistaken for an option.
    if text == nil, let next = rest.first, next == "-" || !next.hasPrefix("-") {
      text = rest.removeFirst()
    }
    guard let text else {
      throw .usage(
        .missingValue, "\(name) needs a value", command.name, help: "write \(option.usage)")
    }
    if let (message, help) = option.flaw(of: text) {
      throw .usage(.badValue, "invalid value for \(name): \(message)", command.name, help: help)
    }
    arguments.set(option, text)
  }
}

extension String {
  var shellWord: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "/._-+=:,@%".contains($0) }
    let isSimple = !contains { "\"\\$`!".contains($0) }
    return isPlain ? self : isSimple ? "\"\(self)\"" : "'\(replacing("'", with: "'\\''"))'"
  }
}

extension Diagnostic {
  package static func usage(
    _ id: DiagnosticID, _ message: String, _ command: String? = nil, help: String? = nil
  ) -> Diagnostic {
    let page = command.map { "sitegen help \($0)" } ?? "sitegen help"
    return Diagnostic(.error, id.rawValue, message, help: help ?? "see `\(page)`")
  }

  static func unknownCommand(_ word: String) -> Diagnostic {
    let shown = word.quoted
    let near = nearest(to: word, among: Command.all.map(\.name))
    if word.hasPrefix("-") {
      let option = nearest(to: word, among: ["--help", "--version"])
      return usage(
        .unknownCommand, "expected a command, found \(shown)",
        help: option.map { "did you mean \($0)?" }
          ?? "put options after the command: sitegen build \(word)")
    }
    return usage(
      .unknownCommand, "unknown command \(shown)",
      help: instead[word] ?? near.map { "did you mean `\($0)`?" } ?? "see `sitegen help`")
  }

  /// Alternatives to removed commands and options, and to other programs' options.
  private static let instead: [String: String] = {
    let lines = String(decoding: PackageResources.instead_txt, as: UTF8.self).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.flatMap { line in
        let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
        return parts[0].split(separator: ", ").map { (String($0), parts[1]) }
      })
  }()

  fileprivate static func unknownOption(_ name: String, _ command: Command) -> Diagnostic {
    let names = command.options.map { "--\($0.name)" } + ["--help"]
    let start = names.filter { $0.hasPrefix(name) && name.count > 3 }
    let near = start.count == 1 ? start[0] : nearest(to: name, among: names)
    let elsewhere = Command.all.filter { $0.options.contains { "--\($0.name)" == name } }
    let help: String? =
      if let known = instead["\(command.name) \(name)"] ?? instead[name] {
        known
      } else if let near {
        "did you mean \(near)?"
      } else if !elsewhere.isEmpty {
        "it is an option of " + elsewhere.map { "`\($0.name)`" }.joined(separator: ", ")
      } else {
        nil
      }
    return usage(
      .unknownOption, "unknown option \(name.quoted) for `\(command.name)`", command.name,
      help: help)
  }
}

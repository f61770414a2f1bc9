import Foundation

package struct HelpPage: Sendable {
  package static let width = 88
  package static let reference = "docs/reference/cli.md"

  private static let exits: KeyValuePairs<Int32, String> = [
    0: "success",
    1: "some items failed, or problems were found; with --strict, nothing is published",
    2: "usage error or invalid manifest",
    3: "machine failure: disk, permissions or ImageMagick; the published site is intact",
    75: "another build holds the lock",
    128: "stopped by signal n",
  ]

  /// Notes and examples, keyed by command; indented lines in `help.txt` are examples.
  package static let texts: [String: (notes: [String], examples: [String])] = {
    let sections = String(decoding: PackageResources.help_txt, as: UTF8.self).split(
      separator: "## ")
    return Dictionary(
      uniqueKeysWithValues: sections.map { section in
        let lines = section.split(separator: "\n").map(String.init)
        let texts = lines.dropFirst()
        return (lines[0], (texts.filter { !$0.hasPrefix(" ") }, texts.filter { $0.hasPrefix(" ") }))
      })
  }()

  private static let helpOption = Option(
    "help", letter: "h", in: .common, "print this page; -h prints a short version")

  package let text: String

  package init(_ groups: KeyValuePairs<String, [Command]> = Command.groups) {
    let column = (groups.flatMap(\.value).map(\.name.count).max() ?? 0) + 4
    var lines = [
      "sitegen turns a folder of photos or a list of people into avatars and a gallery.",
      "", "Usage: sitegen COMMAND [OPTIONS]",
    ]
    for (title, commands) in groups {
      lines += ["", title + ":"]
      for command in commands {
        lines += Self.entry("  \(command.name)", command.summary, column: column)
      }
    }
    lines += ["", "`sitegen help COMMAND` prints a command's options."]
    lines += ["", "Examples:", "  sitegen build photos", "  sitegen init mysite"]
    lines += Self.exitLines(Self.exits.map(\.key))
    lines += ["", "Environment:"]
    lines += Self.entry("  NO_COLOR", "print without colours", column: 18)
    lines += Self.entry("  CLICOLOR_FORCE", "if 1, print in colour even to a pipe", column: 18)
    text = (lines + ["", "Docs: \(Self.reference)"]).joined(separator: "\n") + "\n"
  }

  /// The short page omits notes, examples, exit codes and less common options.
  package init(_ command: Command, isShort: Bool = false) {
    let column = 30
    var usage = "Usage: sitegen \(command.name)"
    if !command.oneOf.isEmpty {
      usage += " (\(command.oneOf.map(\.usage).joined(separator: " | ")))"
    }
    if command.options.count > command.oneOf.count { usage += " [OPTIONS]" }
    for operand in command.operands {
      usage += operand.isRequired ? " \(operand.name)" : " [\(operand.name)]"
    }
    var lines = Self.wrapped(command.summary + ".", indent: 0) + ["", usage]
    if !command.operands.isEmpty { lines.append("") }
    for operand in command.operands {
      lines += Self.entry("  \(operand.name)", operand.help, column: column)
    }
    for group in Option.Group.allCases where !isShort || [.own, .common].contains(group) {
      let options = (command.options + [Self.helpOption]).filter { $0.group == group }
      if !options.isEmpty { lines += ["", group.rawValue + ":"] }
      for option in options {
        lines += Self.entry(
          "  \(option.letter.map { "-\($0), " } ?? "    ")\(option.usage)", option.help,
          column: column, last: isShort ? [] : option.limits)
      }
    }
    if isShort {
      lines += ["", "`sitegen \(command.name) --help` prints all options, with examples."]
    } else {
      let (notes, examples) = Self.texts[command.name] ?? ([], [])
      for note in notes { lines += [""] + Self.wrapped(note, indent: 0) }
      lines += ["", "Examples:"] + examples
      lines += Self.exitLines([0, 2] + command.exits)
      lines += ["", "Docs: \(Self.reference)#\(command.name)"]
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func exitLines(_ codes: [Int32]) -> [String] {
    ["", "Exit codes:"]
      + exits.filter { codes.contains($0.key) }.flatMap { code, meaning in
        entry("  \(code == 128 ? "128+n" : "\(code)")", meaning, column: 9)
      }
  }

  /// Formats a term and its meaning; items in `last` are not broken across lines.
  private static func entry(
    _ term: String, _ meaning: String, column: Int, last: [String] = []
  ) -> [String] {
    var lines = wrapped(meaning, indent: column, last: last)
    guard term.count + 2 <= column else { return [term] + lines }
    lines[0] = term + lines[0].dropFirst(term.count)
    return lines
  }

  private static func wrapped(_ text: String, indent: Int, last: [String] = []) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ").map(String.init) + last {
      if line.count + word.count + 1 > width, line.count > indent {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}

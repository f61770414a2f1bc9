package struct HelpPage: Sendable {
  package static let width = 88

  package let text: String

  package init(_ commands: [Command]) {
    let column = (commands.map(\.name.count).max() ?? 0) + 4
    var lines = [
      "sitegen makes a static gallery of pre-rendered avatars and buttons.",
      "", "Usage: sitegen COMMAND [OPTIONS]", "", "Commands:",
    ]
    for command in commands {
      lines += Self.entry("  \(command.name)", command.summary, column: column)
    }
    lines += [
      "", "Run `sitegen help COMMAND` or `sitegen COMMAND --help` for the options of a command.",
      "",
      "Exit status: 0 success; 1 published, but some items failed; 2 usage error or invalid",
      "manifest; 3 machine failure (disk, permissions, ImageMagick); 75 another build holds the",
      "lock; 128+n signal n.",
    ]
    text = lines.joined(separator: "\n") + "\n"
  }

  package init(_ command: Command) {
    var lines = Self.wrapped(command.summary + ".", indent: 0)
    var usage = "Usage: sitegen \(command.name)"
    if !command.options.isEmpty { usage += " [OPTIONS]" }
    for operand in command.operands {
      usage += operand.isRequired ? " \(operand.name)" : " [\(operand.name)]"
    }
    lines += ["", usage]
    let column = 30
    if !command.operands.isEmpty { lines.append("") }
    for operand in command.operands {
      lines += Self.entry("  \(operand.name)", operand.help, column: column)
    }
    if !command.options.isEmpty { lines += ["", "Options:"] }
    for option in command.options {
      lines += Self.entry(
        "  \(option.letter.map { "-\($0), " } ?? "    ")\(option.usage)",
        option.help + Self.range(option), column: column,
        last: option.absent.map { "[default: \($0)]" })
    }
    for note in command.notes { lines += [""] + Self.wrapped(note, indent: 0) }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func range(_ option: Option) -> String {
    guard case .number(_, let range) = option.kind else { return "" }
    return ", \(range.lowerBound) to \(range.upperBound)"
  }

  /// Formats a term and its meaning, below the term if that is long; `last` is not wrapped.
  private static func entry(
    _ term: String, _ meaning: String, column: Int, last: String? = nil
  ) -> [String] {
    var lines = wrapped(meaning, indent: column, last: last)
    guard term.count + 2 <= column else { return [term] + lines }
    lines[0] = term + lines[0].dropFirst(term.count)
    return lines
  }

  private static func wrapped(_ text: String, indent: Int, last: String? = nil) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") + (last.map { [$0[...]] } ?? []) {
      if line.count + word.count + 1 > width, line.count > indent {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}

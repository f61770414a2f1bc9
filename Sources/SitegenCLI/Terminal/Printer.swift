package import Diagnostics
import Files
import Foundation

package struct Printer: Sendable {
  private let console: Console
  private let isQuiet: Bool

  /// `isQuiet` suppresses notes and results.
  package init(_ console: Console, isQuiet: Bool = false) {
    (self.console, self.isQuiet) = (console, isQuiet)
  }

  package func problem(_ diagnostic: Diagnostic) {
    guard diagnostic.severity > .note || !isQuiet else { return }
    console.err(text(diagnostic))
  }

  package func problems(_ diagnostics: Diagnostics) {
    let (shown, left) = diagnostics.excerpt(atLeast: isQuiet ? .warning : .note, limit: 100)
    let rest = left > 0 ? "sitegen: and \(left) more\n" : ""
    if !shown.isEmpty { console.err(shown.map(text).joined() + rest) }
  }

  package func say(_ line: String) {
    if !isQuiet { console.out(line.printable + "\n") }
  }

  private func text(_ diagnostic: Diagnostic) -> String {
    var lines = diagnostic.lines
    // Without a location, begin the line with the program name.
    if diagnostic.location == nil, diagnostic.path == nil { lines[0] = "sitegen: " + lines[0] }
    if console.hasColors {
      lines[0] = painted(lines[0], diagnostic.severity)
      for index in lines.indices.dropFirst() { lines[index] = "\u{1B}[2m\(lines[index])\u{1B}[0m" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func painted(_ line: String, _ severity: Diagnostic.Severity) -> String {
    let color =
      switch severity {
      case .error: "31"
      case .warning: "35"
      case .note: "36"
      }
    let word = "\(severity.rawValue): "
    guard let start = line.range(of: word) else { return line }
    return "\u{1B}[1m\(line[..<start.lowerBound])\u{1B}[\(color)m\(word)\u{1B}[0;1m"
      + "\(line[start.upperBound...])\u{1B}[0m"
  }
}

package struct Console: Sendable {
  package var out: @Sendable (String) -> Void
  package var err: @Sendable (String) -> Void
  package var isErrTerminal: Bool
  package var columns: @Sendable () -> Int?
  package var environment: [String: String]

  package init(
    out: @escaping @Sendable (String) -> Void, err: @escaping @Sendable (String) -> Void,
    isErrTerminal: Bool = false, columns: @escaping @Sendable () -> Int? = { nil },
    environment: [String: String] = [:]
  ) {
    self.out = out
    self.err = err
    (self.isErrTerminal, self.columns, self.environment) = (isErrTerminal, columns, environment)
  }

  /// The process's own streams; a closed pipe, as in `| head`, is not an error.
  package static var standard: Console {
    Console(
      out: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
      err: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
      isErrTerminal: Terminal.isTerminal(2), columns: { Terminal.width(2) },
      environment: ProcessInfo.processInfo.environment)
  }

  package func print(json value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    out(String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self) + "\n")
  }

  /// Whether `err` supports cursor movement.
  package var canRedraw: Bool { isErrTerminal && environment["TERM"] != "dumb" }

  /// Whether to print colours, as described at https://no-color.org and
  /// https://bixense.com/clicolors; `NO_COLOR` takes precedence.
  package var hasColors: Bool {
    let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""])
    return environment["NO_COLOR", default: ""].isEmpty && (canRedraw || isForced)
  }
}

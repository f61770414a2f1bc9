package import Diagnostics
import Files
import Foundation

/// Writes problems to `err` and results to `out`.
package struct Printer: Sendable {
  package enum Volume: Hashable, Sendable, Comparable {
    /// Only problems.
    case quiet
    case normal
    case verbose
  }

  private let console: Console
  private let volume: Volume

  package init(_ console: Console, volume: Volume = .normal) {
    self.console = console
    self.volume = volume
  }

  /// One line, with its note and help below; control characters are escaped.
  package func problem(_ diagnostic: Diagnostic) {
    guard diagnostic.severity > .note || volume > .quiet else { return }
    console.err(text(diagnostic))
  }

  /// Sorted by location, and no more than a person reads.
  package func problems(_ diagnostics: Diagnostics) {
    let (shown, left) = diagnostics.excerpt(
      atLeast: volume > .quiet ? .note : .warning, limit: volume == .verbose ? 1_000 : 100)
    let rest = left > 0 ? "sitegen: and \(left) more\n" : ""
    if !shown.isEmpty { console.err(shown.map(text).joined() + rest) }
  }

  package func say(_ line: String) {
    if volume > .quiet { console.out(line.printable + "\n") }
  }

  /// Only with `--verbose`.
  package func detail(_ line: String) {
    if volume == .verbose { console.out(line.printable + "\n") }
  }

  private func text(_ diagnostic: Diagnostic) -> String {
    var lines = diagnostic.lines
    // Without a location the line names the program.
    if diagnostic.location == nil, diagnostic.path == nil { lines[0] = "sitegen: " + lines[0] }
    if console.hasColors {
      lines[0] = painted(lines[0], diagnostic.severity)
      for index in lines.indices.dropFirst() { lines[index] = "\u{1B}[2m\(lines[index])\u{1B}[0m" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The severity in colour, the line in bold.
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

/// The two output streams and what the terminal can do.
package struct Console: Sendable {
  package var out: @Sendable (String) -> Void
  package var err: @Sendable (String) -> Void
  package var isErrTerminal: Bool
  /// Columns of the terminal behind `err`.
  package var columns: @Sendable () -> Int?
  package var environment: [String: String]

  package init(
    out: @escaping @Sendable (String) -> Void, err: @escaping @Sendable (String) -> Void,
    isErrTerminal: Bool = false, columns: @escaping @Sendable () -> Int? = { nil },
    environment: [String: String] = [:]
  ) {
    self.out = out
    self.err = err
    self.isErrTerminal = isErrTerminal
    self.columns = columns
    self.environment = environment
  }

  /// The process's own streams; that a reader has gone (`| head`) is no failure.
  package static var standard: Console {
    Console(
      out: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
      err: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
      isErrTerminal: Terminal.isTerminal(2), columns: { Terminal.width(2) },
      environment: ProcessInfo.processInfo.environment)
  }

  /// One line of JSON on `out`.
  package func print(json value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    out(String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self) + "\n")
  }

  /// Whether `err` obeys cursor movements.
  package var canRedraw: Bool { isErrTerminal && environment["TERM"] != "dumb" }

  /// Colours obey https://no-color.org too.
  package var hasColors: Bool { canRedraw && environment["NO_COLOR", default: ""].isEmpty }
}

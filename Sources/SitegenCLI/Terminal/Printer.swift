package import Diagnostics
import Foundation

/// Writes what the user shall know: problems to `err`, results to `out`.
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

  /// One event is one line, with its note and help below; nothing in it can steer a terminal.
  package func problem(_ diagnostic: Diagnostic) {
    guard diagnostic.severity > .note || volume > .quiet else { return }
    console.err(text(diagnostic))
  }

  /// Sorted by place, and no more than a person reads.
  package func problems(_ diagnostics: Diagnostics) {
    let (shown, left) = diagnostics.excerpt(
      atLeast: volume > .quiet ? .note : .warning, limit: volume == .verbose ? 1_000 : 100)
    let rest = left > 0 ? "sitegen: and \(left) more\n" : ""
    if !shown.isEmpty { console.err(shown.map(text).joined() + rest) }
  }

  /// A result.
  package func say(_ line: String) {
    if volume > .quiet { console.out(line.printable + "\n") }
  }

  /// What only the curious want to know.
  package func detail(_ line: String) {
    if volume == .verbose { console.out(line.printable + "\n") }
  }

  private func text(_ diagnostic: Diagnostic) -> String {
    var lines = diagnostic.lines
    // Without a place, say at least who speaks.
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

import Diagnostics
import Files
import SitegenCLI

final class Transcript: Sendable {
  private let streams = Locked((out: "", err: "", writes: 0))

  var out: String { streams.withLock(\.out) }
  var err: String { streams.withLock(\.err) }
  var errWrites: Int { streams.withLock(\.writes) }

  func console(
    isTerminal: Bool = false, columns: Int? = 80, environment: [String: String] = [:]
  ) -> Console {
    Console(
      out: { text in self.streams.withLock { $0.out += text } },
      err: { text in
        self.streams.withLock {
          $0.err += text
          $0.writes += 1
        }
      }, isErrTerminal: isTerminal, columns: { columns }, environment: environment)
  }
}

extension String {
  /// Whether the text could control a terminal or break a line.
  var hasControls: Bool {
    unicodeScalars.contains { $0 != "\n" && ($0.value < 32 || (127..<160).contains($0.value)) }
  }
}

extension Diagnostics {
  init(_ diagnostics: Diagnostic...) {
    self.init()
    for diagnostic in diagnostics { add(diagnostic) }
  }
}

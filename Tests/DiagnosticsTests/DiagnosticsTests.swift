import Diagnostics
import Testing

struct DiagnosticsTests {
  private func error(_ line: Int, _ id: String = "x", file: String = "m.yaml") -> Diagnostic {
    Diagnostic(
      .error, id, "m", at: FileLocation(file: file, position: Position(line: line, column: 1)))
  }

  @Test func `diagnostics are sorted by location, and those without a location come last`() {
    var diagnostics = Diagnostics()
    let nowhere = Diagnostic(.error, "x", "m")
    let whole = Diagnostic(.error, "x", "m", at: FileLocation(file: "m.yaml"))
    let warning = Diagnostic(.warning, "a", "m", at: error(3).location)
    for diagnostic in [nowhere, error(10), error(3, "b"), warning, error(1, file: "u.csv"), whole] {
      diagnostics.add(diagnostic)
    }
    #expect(
      diagnostics.sorted
        == [whole, error(3, "b"), warning, error(10), error(1, file: "u.csv"), nowhere])
  }

  @Test func `insertion order does not affect the output`() {
    let all = (0..<50).map { error($0 % 7, "\($0)") }
    var first = Diagnostics()
    var second = Diagnostics()
    for diagnostic in all { first.add(diagnostic) }
    for diagnostic in all.reversed() { second.add(diagnostic) }
    #expect(first.sorted == second.sorted)
    #expect(first.excerpt(limit: 10) == second.excerpt(limit: 10))
  }

  @Test func `duplicate diagnostics are kept only once`() {
    var diagnostics = Diagnostics()
    diagnostics.add(error(1))
    diagnostics.add(error(1))
    #expect(diagnostics.count(.error) == 1)
    #expect(diagnostics.sorted == [error(1)])
  }

  @Test func `at most a hundred diagnostics are shown, and errors take priority`() {
    var diagnostics = Diagnostics()
    for line in 1...150 {
      diagnostics.add(Diagnostic(.warning, "w\(line)", "m", at: error(line).location))
    }
    diagnostics.add(error(999))
    let (shown, left) = diagnostics.excerpt()
    #expect(shown.count == 100 && left == 51)
    #expect(shown.first?.lines == ["m.yaml:1:1: warning: m [w1]"])
    #expect(shown.last == error(999))
  }

  @Test func `only the first diagnostics of each kind are kept, but all are counted`() {
    var diagnostics = Diagnostics(limit: 10)
    for line in 1...1_000 { diagnostics.add(error(line)) }
    diagnostics.add(error(7, "rare"))
    diagnostics.add(Diagnostic(.note, "n", "m"))
    #expect(diagnostics.count(.error) == 1_001)
    #expect(diagnostics.sorted.count == 12)
    #expect(diagnostics.excerpt().shown.map(\.message) == ["m (first of 1000)", "m", "m"])
    #expect(diagnostics.excerpt(limit: 1).left == 2)
    // A hostile list may contain a million unknown keys.
    for key in 1...1_000 {
      diagnostics.add(Diagnostic(.warning, "unknown-key", "m", path: "users[\(key)].key\(key)"))
    }
    #expect(diagnostics.count(.warning) == 1_000 && diagnostics.sorted.count < 40)
  }

  /// F44: similar messages are merged into one, even if they concern different people.
  @Test func `two similar diagnostics share a note and help, and three or more are merged`() {
    func problems(_ count: Int) -> [[String]] {
      var diagnostics = Diagnostics()
      for index in 0..<count {
        diagnostics.add(
          Diagnostic(
            .warning, "bad-link", "\"x\(index)\" is not a link", at: error(index + 2).location,
            path: "users[\(index)].links[\(index % 2)]", note: "n", help: "h"))
      }
      diagnostics.add(Diagnostic(.warning, "bad-link", "m", path: "users[0].link", help: "h"))
      let changed = diagnostics.changed { $0.path != "users[0].link" }
      var sum = Diagnostics()
      sum.add(contentsOf: changed)
      return sum.excerpt().shown.map(\.lines)
    }
    func head(_ index: Int, _ more: String = "") -> String {
      "m.yaml:\(index + 2):1: users[\(index)].links[\(index % 2)]: warning: "
        + "\"x\(index)\" is not a link\(more) [bad-link]"
    }
    #expect(problems(1) == [[head(0), "  note: n", "  help: h"]])
    #expect(problems(2) == [[head(0)], [head(1), "  note: n", "  help: h"]])
    for count in [3, 5_000] {
      #expect(
        problems(count) == [
          [
            head(0, " (first of \(count))"), "  note: n; the next are at m.yaml:3:1, m.yaml:4:1",
            "  help: h",
          ]
        ])
    }
  }

  @Test func `two collections can be merged`() {
    var first = Diagnostics(limit: 10)
    var second = Diagnostics(limit: 10)
    first.add(error(1))
    for line in 1...20 { second.add(error(line)) }
    first.add(contentsOf: second)
    #expect(first.count(.error) == 20)
    #expect(first.sorted.count == 10)
    #expect(first.hasErrors && !first.isEmpty)
  }
}

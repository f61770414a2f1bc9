import Diagnostics
import Testing

struct DiagnosticsTests {
  private func error(_ line: Int, _ id: String = "x", file: String = "m.yaml") -> Diagnostic {
    Diagnostic(
      .error, id, "m", at: FileLocation(file: file, position: Position(line: line, column: 1)))
  }

  @Test func `sorted by location, what has none comes last`() {
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

  @Test func `the order of adding does not matter`() {
    let all = (0..<50).map { error($0 % 7, "\($0)") }
    var first = Diagnostics()
    var second = Diagnostics()
    for diagnostic in all { first.add(diagnostic) }
    for diagnostic in all.reversed() { second.add(diagnostic) }
    #expect(first.sorted == second.sorted)
    #expect(first.excerpt(limit: 10).shown == second.excerpt(limit: 10).shown)
  }

  @Test func `the same one twice is one`() {
    var diagnostics = Diagnostics()
    diagnostics.add(error(1))
    diagnostics.add(error(1))
    #expect(diagnostics.count(.error) == 1)
    #expect(diagnostics.sorted == [error(1)])
  }

  @Test func `at most a hundred are printed, errors first, and the others counted`() {
    var diagnostics = Diagnostics()
    for line in 1...150 {
      diagnostics.add(Diagnostic(.warning, "w", "m", at: error(line).location))
    }
    diagnostics.add(error(999))
    let (shown, left) = diagnostics.excerpt()
    #expect(shown.count == 100)
    #expect(shown.first?.lines == ["m.yaml:1:1: warning: m [w]"])
    #expect(shown.last?.lines == ["m.yaml:999:1: error: m [x]"])
    #expect(left == 51)
  }

  @Test func `only the first of each severity are kept, all are counted`() {
    var diagnostics = Diagnostics(limit: 10)
    for line in 1...1_000 { diagnostics.add(error(line)) }
    diagnostics.add(Diagnostic(.note, "n", "m"))
    #expect(diagnostics.count(.error) == 1_000)
    #expect(diagnostics.sorted.count == 11)
    #expect(diagnostics.excerpt(limit: 5).left == 996)
  }

  @Test func `two collections become one`() {
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

import Fetch
import Testing

@Suite struct LineTests {
  private func start(_ line: inout Line, _ now: Duration = .zero) -> [Int] {
    var started: [Int] = []
    while let id = line.next(now: now) { started.append(id) }
    return started
  }

  private func fail(_ line: inout Line, _ now: Duration = .zero) -> Bool {
    line.noteFailure("a", now: now)
  }

  @Test func `hosts take turns, and none has more than its places`() {
    var line = Line(perHost: 2, overall: 5, patience: 8)
    for id in 0..<10 { line.enter(id, "a", now: .zero) }
    for id in 10..<13 { line.enter(id, "b", now: .zero) }
    line.enter(20, "c", now: .zero)
    #expect(start(&line) == [0, 10, 20, 1, 11])
    line.leave("c", now: .zero)
    #expect(start(&line) == [])
    line.leave("a", now: .zero)
    #expect(start(&line) == [2])
    line.leave("b", now: .zero)
    #expect(start(&line) == [12])
    #expect(line.running == 4)
  }

  @Test func `who has waited for his time goes first`() {
    var line = Line(perHost: 1, overall: 5, patience: 8)
    line.enter(1, "a", now: .zero)
    line.enter(2, "a", due: .seconds(3), now: .zero)
    line.enter(3, "a", now: .zero)
    #expect(start(&line) == [1])
    #expect(line.due(now: .zero) == .seconds(3))
    line.leave("a", now: .seconds(4))
    #expect(start(&line, .seconds(4)) == [2])
    #expect(line.due(now: .seconds(4)) == nil)
    line.leave("a", now: .seconds(5))
    #expect(start(&line, .seconds(5)) == [3])
  }

  @Test func `who comes back goes before the new, and behind those who came back before`() {
    var line = Line(perHost: 1, overall: 5, patience: 8)
    line.enter(1, "a", now: .zero)
    for id in 2...4 { line.enter(id, "a", due: .zero, now: .zero) }
    line.enter(5, "a", due: .seconds(1), now: .zero)
    var order: [Int] = []
    while let id = line.next(now: .seconds(2)) {
      order.append(id)
      line.leave("a", now: .seconds(2))
    }
    #expect(order == [2, 3, 4, 5, 1])
  }

  @Test func `all who are meant leave at once`() {
    var line = Line(perHost: 1, overall: 5, patience: 8)
    for id in 1...4 { line.enter(id, "a", now: .zero) }
    line.enter(5, "a", due: .zero, now: .zero)
    line.enter(6, "a", due: .seconds(1), now: .zero)
    line.enter(7, "b", now: .zero)
    #expect(line.remove("a", now: .zero) { $0 != 3 } == [5, 1, 2, 4, 6])
    #expect(line.waiting("a") == [3])
    #expect(line.remove("c", now: .zero) { _ in true } == [])
    #expect(start(&line).sorted() == [3, 7])
    #expect(line.due(now: .zero) == nil)
  }

  @Test func `nobody goes to a host that pauses`() {
    var line = Line(perHost: 4, overall: 5, patience: 8)
    line.enter(1, "a", now: .zero)
    line.pause("a", until: .seconds(5), now: .zero)
    line.pause("a", until: .seconds(2), now: .zero)
    line.enter(2, "a", now: .zero)
    line.enter(3, "b", now: .zero)
    #expect(start(&line) == [3])
    #expect(line.due(now: .zero) == .seconds(5))
    #expect(start(&line, .milliseconds(4999)) == [])
    #expect(start(&line, .seconds(5)) == [1, 2])
    #expect(line.due(now: .seconds(5)) == nil)
  }

  @Test func `who pauses while others run is woken, and nobody looks in between`() {
    var line = Line(perHost: 1, overall: 5, patience: 8)
    for id in 1...3 { line.enter(id, "a", now: .zero) }
    line.enter(4, "a", due: .seconds(2), now: .zero)
    #expect(start(&line) == [1])
    line.pause("a", until: .seconds(1), now: .zero)
    #expect(line.due(now: .zero) == .seconds(1))
    #expect(start(&line, .seconds(1)) == [])
    // One runs, so that its end is what is waited for, and the time of the other.
    #expect(line.due(now: .seconds(1)) == .seconds(2))
  }

  @Test func `who leaves is not called`() {
    var line = Line(perHost: 4, overall: 5, patience: 8)
    line.enter(1, "a", now: .zero)
    line.enter(2, "a", due: .seconds(1), now: .zero)
    line.enter(3, "a", now: .zero)
    #expect(line.waiting("a").sorted() == [1, 2, 3])
    line.remove(1, "a", now: .zero)
    line.remove(2, "a", now: .zero)
    #expect(start(&line) == [3])
    #expect(line.due(now: .zero) == nil)
  }

  @Test func `a host is given up after failures in a row, and looked at again after a rest`() {
    var line = Line(perHost: 4, overall: 5, patience: 3)
    #expect(fail(&line) == false)
    #expect(fail(&line) == false)
    line.noteSuccess("a")
    #expect(fail(&line) == false)
    #expect(fail(&line) == false)
    #expect(!line.isGivenUp("a", now: .zero))
    #expect(fail(&line) == true)
    #expect(line.isGivenUp("a", now: .zero))
    #expect(!line.isGivenUp("b", now: .zero))
    #expect(!line.isGivenUp("a", now: Line.rest))
    #expect(fail(&line, Line.rest) == true)
    #expect(line.isGivenUp("a", now: Line.rest))
  }
}

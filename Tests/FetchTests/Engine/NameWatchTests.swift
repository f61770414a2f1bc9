import Fetch
import Testing

@Suite struct NameWatchTests {
  /// Nobody answers for so many names, beginning with this one.
  private func silence(_ watch: inout NameWatch, _ numbers: Range<Int>) -> [Bool] {
    numbers.map { watch.note(.silence, of: "n\($0).example", now: .zero) }
  }

  @Test func `when nobody answers for eight names, nobody is asked for a while`() {
    var watch = NameWatch(patience: 8)
    #expect(watch.note(.found, of: "known.example", now: .zero) == false)
    #expect(silence(&watch, 0..<8) == Array(repeating: false, count: 7) + [true])
    #expect(watch.isSilent(about: "other.example", now: .seconds(59)))
    #expect(!watch.isSilent(about: "other.example", now: .seconds(60)))
    // Neither those whose name is known, nor those who need none.
    #expect(!watch.isSilent(about: "known.example", now: .zero))
    #expect(!watch.isSilent(about: "192.0.2.1", now: .zero))
    #expect(!watch.isSilent(about: "[2001:db8::1]", now: .zero))
  }

  @Test func `the same name again and again says nothing of the others`() {
    var watch = NameWatch(patience: 8)
    for _ in 0..<20 { #expect(watch.note(.silence, of: "a.example", now: .zero) == false) }
    #expect(!watch.isSilent(about: "b.example", now: .zero))
  }

  @Test(arguments: [NameWatch.Answer.found, .none])
  func `one answer makes good`(answer: NameWatch.Answer) {
    var watch = NameWatch(patience: 8)
    #expect(silence(&watch, 0..<7).allSatisfy { !$0 })
    #expect(watch.note(answer, of: "a.example", now: .zero) == false)
    #expect(silence(&watch, 7..<14).allSatisfy { !$0 })
    #expect(silence(&watch, 14..<15) == [true])
    #expect(watch.note(answer, of: "a.example", now: .zero) == false)
    #expect(!watch.isSilent(about: "b.example", now: .zero))
  }
}

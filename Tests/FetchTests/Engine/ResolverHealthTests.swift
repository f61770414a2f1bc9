import Fetch
import Testing
import Transfers

@Suite struct ResolverHealthTests {
  /// Nobody answers for so many names, beginning with this one.
  private func silence(_ health: inout ResolverHealth, _ numbers: Range<Int>) -> [Bool] {
    numbers.map { health.note(.silence, of: "n\($0).example", now: .zero) }
  }

  @Test func `when nobody answers for eight names, nobody is asked for a while`() {
    var health = ResolverHealth(patience: 8)
    #expect(health.note(.found, of: "known.example", now: .zero) == false)
    #expect(silence(&health, 0..<8) == Array(repeating: false, count: 7) + [true])
    #expect(health.isSilent(about: "other.example", now: .seconds(59)))
    #expect(!health.isSilent(about: "other.example", now: .seconds(60)))
    // Neither those whose name is known, nor those who need none.
    #expect(!health.isSilent(about: "known.example", now: .zero))
    #expect(!health.isSilent(about: "192.0.2.1", now: .zero))
    #expect(!health.isSilent(about: "[2001:db8::1]", now: .zero))
  }

  @Test func `the same name again and again says nothing of the others`() {
    var health = ResolverHealth(patience: 8)
    for _ in 0..<20 { #expect(health.note(.silence, of: "a.example", now: .zero) == false) }
    #expect(!health.isSilent(about: "b.example", now: .zero))
  }

  @Test(arguments: [ResolverHealth.Answer.found, .none])
  func `one answer makes good`(answer: ResolverHealth.Answer) {
    var health = ResolverHealth(patience: 8)
    #expect(silence(&health, 0..<7).allSatisfy { !$0 })
    #expect(health.note(answer, of: "a.example", now: .zero) == false)
    #expect(silence(&health, 7..<14).allSatisfy { !$0 })
    #expect(silence(&health, 14..<15) == [true])
    #expect(health.note(answer, of: "a.example", now: .zero) == false)
    #expect(!health.isSilent(about: "b.example", now: .zero))
  }
}

import Files
import Foundation
import Glibc
import TestSupport
import Testing

struct TestGateTests {
  let temporary = TemporaryFolder()

  func gate(_ name: String) throws -> TestGate {
    try #require(
      TestGate(environment: [
        "SITEGEN_TEST_GATE": name, "SITEGEN_TEST_GATE_FOLDER": temporary.path,
      ]))
  }

  @Test func `without its variables there is no gate`() {
    #expect(TestGate(environment: [:]) == nil)
    #expect(TestGate(environment: ["SITEGEN_TEST_GATE": "x"]) == nil)
    #expect(
      TestGate(environment: ["SITEGEN_TEST_GATE": "", "SITEGEN_TEST_GATE_FOLDER": "/tmp"]) == nil)
    TestGate.pass("before-decode")
  }

  @Test func `another gate is passed at once`() throws {
    try gate("before-decode").pass("after-encode")
    #expect(temporary.list().isEmpty)
  }

  @Test func `an open gate is passed, and says that it was reached`() throws {
    try temporary.write("", to: "open")
    try gate("before-decode").pass("before-decode")
    #expect(temporary.list() == ["open", "reached-before-decode-\(getpid())"])
  }

  @Test func `a closed gate holds until the work is cancelled`() throws {
    let reached = "reached-x-\(getpid())"
    var asked = 0
    try gate("x").pass("x") {
      asked += 1
      return asked == 3 && temporary.exists(reached)
    }
    #expect(asked == 3)
  }
}

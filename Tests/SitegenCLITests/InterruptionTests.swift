import Foundation
import Glibc
import TestSupport
import Testing

struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal stops a long job and leaves nothing that looks complete`(number: Int32) throws {
    let folder = TemporaryFolder(inMemory: true)
    // Hours of work, so no machine is done with it before the signal comes.
    let program = try RunningProgram(
      ["mock", "--users", "200000", "--size", "1024x1024", "m"], in: folder.path)
    #expect(eventually { folder.list().contains { $0.hasSuffix(".jpg") } })
    program.send(number)
    let ending = try program.ending()
    #expect(ending.status == 128 + number)
    let names = folder.list()
    #expect(!names.contains { $0.hasSuffix("manifest.yaml") || $0.hasSuffix("users.csv") })
    #expect(!names.contains { $0.contains(".sitegen-tmp-") })
  }
}

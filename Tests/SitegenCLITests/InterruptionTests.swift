import Foundation
import Glibc
import TestSupport
import Testing

struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal stops a long job and leaves nothing that looks complete`(number: Int32)
    async throws
  {
    let folder = TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.sitegen)
    process.arguments = ["mock", "--users", "2000", "--size", "400x400", "m"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let pictures = folder.path(of: "m/avatars")
    while process.isRunning, !FileManager.default.fileExists(atPath: pictures) {
      try await Task.sleep(for: .milliseconds(5))
    }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 128 + number)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(of: "m"))
    #expect(!names.contains("manifest.yaml"))
    #expect(!names.contains { $0.contains(".sitegen-tmp-") })
  }
}

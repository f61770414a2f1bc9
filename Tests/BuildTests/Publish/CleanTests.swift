import Foundation
import SiteSupport
import Sitegen
import TestSupport
import Testing

struct CleanTests {
  private func built() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.write([Person("a", "red.png")])
    try site.build()
    return site
  }

  @Test func `nothing of ours is left`() throws {
    let site = try built()
    try site.clean()
    let left = site.folder.list().filter { $0.hasPrefix("output/") || $0.hasPrefix("cache/") }
    #expect(left == ["cache/.sitegen-lock", "output/.sitegen-lock"])
    // What was never there is clean.
    try site.clean()
    #expect(try site.build().report.counters.renders == 1)
  }

  @Test func `clean counts the files that it removed`() throws {
    let site = try built()
    let count = site.outputFiles().count - 1
    #expect(try Clean(site.options()).run() == count)
    #expect(try Clean(site.options()).run() == 0)
  }

  /// C15: the path is free before anything is deleted; after a kill the next run deletes the rest.
  @Test func `clean frees the path first, and a kill leaves nothing for long`() throws {
    let site = try built()
    let gates = TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.sitegen)
    process.arguments = [
      "clean", "--output", site.folder.path(of: "output"), "--cache",
      site.folder.path(of: "cache"),
    ]
    process.environment = [
      "SITEGEN_TEST_GATE": "inside-clean", "SITEGEN_TEST_GATE_FOLDER": gates.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let reached = "reached-inside-clean-\(process.processIdentifier)"
    while !gates.exists(reached), process.isRunning { usleep(5_000) }
    #expect(gates.exists(reached))
    #expect(!site.folder.exists("output/assets"))
    let retired = site.folder.list().filter { $0.hasPrefix("output/.sitegen-tmp-") }
    #expect(retired.contains { $0.hasSuffix(".png") })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()

    try site.build()
    #expect(site.folder.list().allSatisfy { !$0.contains(".sitegen-tmp-") })
    #expect(site.assetFiles().count == 1)
  }
}

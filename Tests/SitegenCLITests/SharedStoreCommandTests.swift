import Foundation
import TestSupport
import Testing

/// `--store` as it is typed.
struct SharedStoreCommandTests {
  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(users: [("a", ["color:#ff0000"]), ("b", ["color:#00ff00"])])
    return site
  }

  @Test func `machines are told what came from the store, by the option or the variable`() throws {
    let shared = TemporaryFolder()
    let address = "dir:\(shared.path(of: "."))"
    let words = ["build", "--manifest", "content/manifest.json"]
    let first = try site()
    let made = try first.run(words + ["--store", address, "--store-mode", "readwrite"])
    #expect(made.status == 0 && !made.out.contains("from the store"))
    let second = try site()
    let taken = try second.run(words, environment: ["SITEGEN_STORE": address])
    #expect(taken.status == 0)
    #expect(taken.out.contains(": 2 users; 0 images rendered, 2 from the store, 0 known; "))
    #expect(second.tree().differences(from: first.tree()) == [])
  }

  @Test(arguments: ["https://example.org/store", "store", "dir:", "s3://bucket"])
  func `what is no folder is refused`(address: String) throws {
    let run = try site().run(SiteFolder.buildWords + ["--store", address])
    #expect(run.status == 2 && run.err.contains("is no shared store"))
  }
}

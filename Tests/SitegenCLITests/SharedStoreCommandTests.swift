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

  @Test func `a mode needs a store, and other commands do not look at the variable`() throws {
    let site = try site()
    let lone = try site.run(SiteFolder.buildWords + ["--store-mode", "write"])
    #expect(lone.status == 2 && lone.err.contains("--store-mode without a store"))
    let environment = ["SITEGEN_STORE": "bogus"]
    let check = ["check", "--manifest", "content/manifest.json"]
    #expect(try site.run(check, environment: environment).status == 0)
    #expect(try site.run(SiteFolder.buildWords, environment: environment).status == 2)
  }

  @Test(arguments: ["https://example.org/store", "store", "dir:", "s3://bucket"])
  func `what is no folder is refused`(address: String) throws {
    let run = try site().run(SiteFolder.buildWords + ["--store", address])
    #expect(run.status == 2 && run.err.contains("is no shared store"))
  }
}

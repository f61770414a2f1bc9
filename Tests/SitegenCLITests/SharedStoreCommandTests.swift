import Files
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

  @Test(arguments: [
    "ftp://example.org/store", "store", "dir:", "s3://", "https://", "https://a/../b",
    "https://a//b", "https://a/?b", "https://a/ü",
  ])
  func `what is no store is refused`(address: String) throws {
    let run = try site().run(SiteFolder.buildWords + ["--store", address])
    #expect(run.status == 2 && run.err.contains("is no shared store"))
  }
}

/// A store on a server, as whole machines use it.
@Suite(.needs(.nginx)) struct WebStoreCommandTests {
  private static let token = "Token-that-nobody-sees"

  private let folder = TemporaryFolder()
  private let server: NginxServer

  init() throws {
    try folder.makeFolder("store")
    server = try NginxServer(storingIn: folder.path(of: "store"), token: Self.token)
  }

  private func site() throws -> SiteFolder {
    let site = SiteFolder()
    let users = (0..<40).map { ("u\($0)", ["color:#\(String(100_000 + $0 * 7_919))"]) }
    try site.write(users: users)
    return site
  }

  private func run(
    _ site: SiteFolder, _ mode: String, _ environment: [String: String]
  ) throws -> RunningProgram.Ending {
    try site.run(
      ["build", "--manifest", "content/manifest.json", "--store-mode", mode],
      environment: ["SITEGEN_STORE": server.url("/sitegen")].merging(environment) { $1 })
  }

  @Test func `what one machine has rendered the other takes, and nobody sees the token`() throws {
    let seen = Guarded(Set<String>())
    let isOver = Guarded(false)
    let watch = Thread {
      while !isOver.withLock({ $0 }) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for name in names where Int(name) != nil {
          guard let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
            continue
          }
          let words = String(decoding: bytes, as: UTF8.self)
          guard words.contains("sitegen-fetcher\0") else { continue }
          let own = FileManager.default.contents(atPath: "/proc/\(name)/environ") ?? Data()
          seen.withLock { _ = $0.insert(words + String(decoding: own, as: UTF8.self)) }
        }
      }
    }
    watch.start()
    defer { isOver.withLock { $0 = true } }
    let (first, second) = (try site(), try site())
    let made = try run(first, "readwrite", ["SITEGEN_STORE_TOKEN": Self.token])
    #expect(made.status == 0 && made.err == "")
    try folder.write(Self.token, to: "token")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "token"))
    let taken = try run(second, "read", ["SITEGEN_STORE_TOKEN_FILE": folder.path(of: "token")])
    #expect(taken.status == 0)
    #expect(taken.out.contains("0 images rendered, 40 from the store"))
    #expect(second.tree().differences(from: first.tree()) == [])
    let words = seen.withLock { $0 }
    #expect(words.contains { $0.contains("\0objects\0") }, "the child was seen")
    #expect(!words.contains { $0.contains(Self.token) })
    for text in [made.out, made.err, taken.out, taken.err] { #expect(!text.contains(Self.token)) }
    for site in [first, second] {
      for path in site.folder.list() where !path.hasSuffix("/") {
        let bytes = (try? site.folder.read(path)) ?? Data()
        #expect(bytes.range(of: Data(Self.token.utf8)) == nil, "\(path)")
      }
    }
  }

  @Test func `a wrong token, and a server that is away, cost a note`() throws {
    let plain = try site()
    #expect(try plain.run(SiteFolder.buildWords).status == 0)
    for mode in ["read", "readwrite"] {
      let site = try site()
      let ending = try run(site, mode, ["SITEGEN_STORE_TOKEN": "another"])
      #expect(ending.status == 0)
      #expect(ending.err.contains("is this token right") && !ending.err.contains("another"))
      #expect(site.tree().differences(from: plain.tree()) == [])
    }
    let site = try site()
    let away = try run(site, "read", ["SITEGEN_STORE": "http://127.0.0.1:1/sitegen"])
    #expect(away.status == 0 && away.err.contains("nobody is there"))
    #expect(site.tree().differences(from: plain.tree()) == [])
  }

  @Test func `doctor says whether the store works`() throws {
    let site = try site()
    for (mode, token, status, words) in [
      ("read", Self.token, 0, "answers in "), ("write", Self.token, 0, "gives it back, in "),
      ("write", "another", 1, "is this token right, and may it write?"),
    ] {
      let ending = try site.run(
        ["doctor", "--store", server.url("/sitegen"), "--store-mode", mode],
        environment: ["SITEGEN_STORE_TOKEN": token])
      #expect(ending.status == Int32(status))
      #expect(ending.out.contains(words))
    }
  }

  @Test func `a user and a password in the address are refused, and not repeated`() throws {
    let ending = try site().run(
      SiteFolder.buildWords + ["--store", "https://user:sekret@example.org/store"])
    #expect(ending.status == 2 && ending.err.contains("SITEGEN_STORE_TOKEN_FILE"))
    #expect(!(ending.err + ending.out).contains("sekret"))
  }

  @Test func `a token goes over https alone, but for this machine`() throws {
    let ending = try run(
      try site(), "read",
      ["SITEGEN_STORE": "http://192.0.2.1/store", "SITEGEN_STORE_TOKEN": Self.token])
    #expect(ending.status == 0 && ending.err.contains("a token is only sent over https"))
  }
}

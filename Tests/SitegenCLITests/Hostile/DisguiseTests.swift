import Build
import TestSupport

struct DisguiseTests {
  private static let paint = TestPicture.quarters(width: 16, height: 16)
  private static let kinds: [(name: String, bytes: Data)] = [
    ("jpg", TestPicture.jpeg(width: 16, height: 16, pixel: paint)),
    ("png", TestPicture.png(width: 16, height: 16, pixel: paint)),
    ("gif", TestPicture.gif(width: 16, height: 16) { _, x, y in paint(x, y) }),
    ("webp", TestPicture.webp(width: 16, height: 16, pixel: paint)),
  ]

  /// I7: every type is decoded by its content, under any extension or none.
  @Test func `a file's type is determined by its content, not its name`() throws {
    let extensions = ["jpg", "png", "gif", "webp", "avif", "svg", "pdf", "txt", "html", "msl", ""]
    var portfolio = Portfolio()
    portfolio.fileName = { id, number in
      let name = id.split(separator: " ", omittingEmptySubsequences: false)
      return name[1].isEmpty ? "\(number)" : "\(number).\(name[1])"
    }
    for (kind, bytes) in Self.kinds {
      for (number, name) in extensions.enumerated() {
        // The bytes differ, so that each file is decoded.
        portfolio.add("\(kind) \(name)", bytes + Data("\(number)".utf8))
      }
    }
    let outcome = try portfolio.build()
    #expect(outcome.run.status == 0, "\(outcome.run.err)")
    for (kind, _) in Self.kinds {
      let digests = Set(extensions.map { outcome.assets.digest("\(kind) \($0)") })
      #expect(digests.count == 1, "\(kind)")
    }
  }

  /// I9: MVG, MSL, PostScript, PDF, text and HTML are rejected under picture names and run nothing.
  @Test func `a file that is not a picture is rejected under any name`() throws {
    let site = SiteFolder()
    let canary = site.folder.path(of: "canary.png")
    try site.folder.write(TestPicture.png(width: 2, height: 2) { _, _ in .red }, to: "canary.png")
    let laughs = String(repeating: "&a;", count: 10_000)
    let commands = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"file://\(canary)\"/></svg>",
      "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM \"file://\(canary)\">]><svg viewBox=''>&x;</svg>",
      "<!DOCTYPE svg [<!ENTITY a \"ha\"><!ENTITY b \"\(laughs)\">]><svg><text>&b;</text></svg>",
      "<svg><g id=\"a\"><use href=\"#a\"/><image href=\"http://127.0.0.1:9/x.png\"/></g></svg>",
      "push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 '\(canary)'\npop graphic-context",
      "push graphic-context\nfill 'url(https://127.0.0.1/x\"|touch \(canary).made\")'\npop",
      "<?xml version=\"1.0\"?><image><read filename=\"\(canary)\"/><write filename=\"x\"/></image>",
      "%!PS\n(\(canary)) (r) file", "text:\(canary)", canary, "@\(canary)",
    ]
    var users: [(id: String, avatars: [String])] = []
    let files = Foreign.files + commands.map { ("command", Data($0.utf8)) }
    for (number, file) in files.enumerated() {
      for name in ["png", "jpg"] {
        try site.write(picture: file.bytes, to: "\(number).\(name)")
        users.append(("\(number) \(file.name) \(name)", ["\(number).\(name)"]))
      }
    }
    try site.write(users: users)
    let log = site.folder.path(of: "log")
    let run = try site.build(
      through: try Strace.need.isMet()
        ? Strace.logging("execve,connect,openat,openat2", to: log) : [])
    #expect(run.status == 1)
    let reasons = try site.assets().reasons
    for user in users { #expect(reasons[user.id] == "unsupported-format", "\(user.id)") }
    #expect(try site.report().counters.decodes == 0)
    #expect(!site.folder.exists("canary.png.made"))
    guard try Strace.need.isMet() else { return }
    let audit = try Audit(log: log)
    #expect(audit.opened.filter { $0.contains("canary") } == [])
    #expect(audit.calls("connect") == [])
    #expect(
      audit.calls("execve").dropFirst().allSatisfy { $0.contains("\"\(BuiltProduct.worker)\"") })
  }
}

import Files
import Foundation
import Preview
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ForeignFileTests {
  private static let key = "-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n"
  /// What the site names; everything else was put there by somebody.
  private static let named: Set = ["index.html", "people/ada/index.html", "inside/a.txt"]

  private func served(_ hasForeign: Bool) throws -> Served {
    let served = try Served(
      names: { path, _ in Self.named.contains(path) },
      foreign: hasForeign
        ? ForeignFiles(markers: [".sitegen-lock"]) : nil)
    for (path, text) in [
      ("notes.txt", "foreign"), ("free/page.html", "foreign"), ("free/index.html", "foreign"),
      ("manifest.json", "canary"), ("free/manifest.yaml", "canary"),
      ("cache/.sitegen-lock", ""), ("cache/index.sqlite", "canary"), ("cache/store/a", "canary"),
      ("keys/server.pem", "canary"), ("keys/readme.txt", "canary"), ("keys/below/x", "canary"),
      ("ssh/id_rsa", "canary"), ("ssh/known", "canary"), ("plain/note", Self.key),
      ("plain/other.txt", "canary"), ("inside/a.txt", "named"),
    ] {
      try served.folder.write(text, to: "site/\(path)")
    }
    try served.folder.link("site/key.txt", to: "plain/note")
    try served.folder.link("site/linked.txt", to: "notes.txt")
    return served
  }

  private static let secrets = [
    "manifest.json", "free/manifest.yaml", "cache/index.sqlite", "cache/store/a",
    "keys/server.pem", "keys/readme.txt", "keys/below/x", "ssh/id_rsa", "ssh/known", "plain/note",
    "plain/other.txt", "key.txt", ".hidden", ".git/config", "out.txt", "away.txt",
  ]

  /// S3: dot files, caches, manifests and folders with private keys are never served, and other
  /// files that the site does not name only where that is wanted.
  @Test(arguments: [false, true])
  func `files that the site does not name`(hasForeign: Bool) throws {
    let served = try served(hasForeign)
    for path in Self.named { #expect(try served.ask("/\(path)").status == 200, "\(path)") }
    for path in ["notes.txt", "free/page.html", "free/", "linked.txt"] {
      #expect(try served.ask("/\(path)").status == (hasForeign ? 200 : 404), "\(path)")
    }
    #expect(try served.ask("/people/ada").status == 308)
    #expect(try served.ask("/free").status == (hasForeign ? 308 : 404))
    for path in Self.secrets {
      let answer = try served.ask("/\(path)")
      #expect(answer.status == 404, "\(path)")
      #expect(!answer.text.contains("canary"), "\(path)")
    }
  }

  /// S2: a link is served as what it leads to, also by an absolute path, and only inside.
  @Test func `links inside the folder are followed`() throws {
    let served = try Served()
    try served.folder.link("site/absolute.txt", to: served.folder.path(of: "site/a b.txt"))
    try served.folder.link("site/persons", to: served.folder.path(of: "site/people"))
    for (path, status) in [
      ("absolute.txt", 200), ("inside.txt", 200), ("persons/ada/", 200), ("persons/ada", 308),
      ("out.txt", 404), ("out/secret.txt", 404), ("away.txt", 404), ("loop.txt", 404),
    ] {
      #expect(try served.ask("/\(path)").status == status, "\(path)")
    }
    #expect(try served.ask("/absolute.txt").text == "a b")
  }

  /// S2: a link that leads in and out by turns never shows what is outside.
  @Test func `a link that is swapped during requests`() throws {
    let served = try Served()
    try served.folder.link("site/in", to: served.folder.path(of: "site/a b.txt"))
    let end = ContinuousClock.now + .seconds(2)
    let folder = served.folder
    let swapping = Thread {
      while ContinuousClock.now < end {
        for target in ["a b.txt", "../secret.txt"] {
          try? folder.link("site/next", to: target)
          _ = unsafe rename(folder.path(of: "site/next"), folder.path(of: "site/in"))
        }
      }
    }
    swapping.start()
    var seen: Set<String> = []
    while ContinuousClock.now < end {
      let answer = try served.ask("/in")
      #expect(answer.status == 200 ? answer.text == "a b" : answer.status == 404)
      seen.insert(answer.status.description)
      #expect(!answer.text.contains("canary"))
    }
    #expect(seen.contains("200"))
  }
}

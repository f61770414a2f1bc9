import SiteSupport

struct FetchedListTests {
  private static let address = "https://example.org/data/team.json"

  private func text(
    _ new: String, former: String? = nil, at address: String = Self.address, _ more: String = ""
  ) -> ManifestText {
    var text = ManifestText(
      text: "version: 1\nusers:\n  from: \"\(address)\"\n\(more)\n", files: ["ada.jpg": "ours"])
    text.lists[address] = (new, former)
    return text
  }

  @Test(arguments: [
    ("https://other.example/a.png", "https://other.example/a.png"),
    ("ada.jpg", "https://example.org/data/ada.jpg"),
    ("./p/ada l.jpg", "https://example.org/data/p/ada%20l.jpg"),
    ("p/50%.jpg", "https://example.org/data/p/50%25.jpg"),
    ("p/a%20b.jpg", "https://example.org/data/p/a%20b.jpg"),
    ("?id=7", "https://example.org/data/team.json?id=7"),
    ("/etc/passwd", "https://example.org/etc/passwd"),
    ("../ada.jpg", "https://example.org/ada.jpg"),
    ("../../../../etc/passwd", "https://example.org/etc/passwd"),
    ("//other.example/a.png", "https://other.example/a.png"),
    ("a\\..\\b.png", "https://example.org/data/a%5C..%5Cb.png"),
    ("initials", "initials"), ("identicon", "an identicon"), ("color:#123", "color:#112233ff"),
    ("data:image/png;base64,AAAA", "a data: address"), ("github:ada", "github:ada"),
    ("file:///etc/passwd", nil), ("FILE:/etc/passwd", nil), ("C:\\a.png", nil),
    ("ftp://example.org/a.png", nil), ("photos:a.png", nil), ("javascript:alert(1)", nil),
    ("http://127.0.0.1/a.png", nil), ("http://example.org/a.png", nil),
    ("HTTP://example.org/a.png", nil),
  ])
  func `remote lists cannot refer to local files`(avatar: String, source: String?)
    throws
  {
    let value = avatar.replacing("\\", with: "\\\\")
    let (manifest, diagnostics) = try text("[{\"name\": \"Ada\", \"photo\": \"\(value)\"}]").read()
    let user = try #require(manifest?.users.first)
    #expect(user.avatars.map { address(of: $0) } == (source.map { [$0] } ?? []))
    #expect(diagnostics.sorted.map(\.id) == (source == nil ? ["bad-address"] : []))
    #expect(user.declared.location.file == Self.address)
  }

  /// Returns the full URL, because messages omit the query.
  private func address(of source: AvatarSource) -> String {
    if case .remote(.url(let url)) = source.kind { url } else { source.kind.names.source }
  }

  /// Cells are split after their columns are read.
  @Test(arguments: ["csv", "tsv"]) func `split cells cannot refer to local files`(ending: String)
    throws
  {
    let url = "https://example.org/a/team.\(ending)"
    let text = text(
      "name\tphoto\nAda\t/etc/passwd|file:///a.png|b.png;../ada.jpg\n"
        .replacing("\t", with: ending == "csv" ? "," : "\t"), at: url)
    let (manifest, diagnostics) = try text.read()
    #expect(
      manifest?.users.first?.avatars.map { address(of: $0) } == [
        "https://example.org/etc/passwd", "https://example.org/a/b.png",
        "https://example.org/ada.jpg",
      ])
    #expect(diagnostics.sorted.map(\.id) == ["bad-address"])
  }

  /// Options for lists cannot refer to local files either.
  @Test(arguments: [
    ("  root: static", "/a.png", "https://example.org/a.png"),
    ("  root: https://cdn.example/x", "/a.png", "https://cdn.example/x/a.png"),
    ("  root: ..", "/a.png", "https://example.org/a.png"),
    ("  fields: { avatar: \"p/{photo}\" }", "a.png", "https://example.org/data/p/a.png"),
    ("  fields: { avatar: \"{photo}\" }", "/etc/passwd", "https://example.org/etc/passwd"),
    ("allowOutside: true", "/etc/passwd", "https://example.org/etc/passwd"),
  ])
  func `template and root URLs are relative to the list`(more: String, photo: String, url: String)
    throws
  {
    let text = text("[{\"name\": \"Ada\", \"photo\": \"\(photo)\"}]", Self.address, more)
    let user = try #require(try text.read().manifest?.users.first)
    #expect(user.avatars.map { address(of: $0) } == [url])
  }

  private func text(_ new: String, _ address: String, _ more: String) -> ManifestText {
    text(new, former: nil, at: address, more)
  }

  @Test func `an HTTP list may refer to HTTP URLs, and a local list to local files`() throws {
    let url = "http://example.org/team.csv"
    var text = ManifestText(
      text: "version: 1\nusers: { from: [\"\(url)\", own.csv] }\n",
      files: ["own.csv": "name,photo\nBob,b.jpg\n"])
    text.lists[url] = ("name,photo\nAda,http://127.0.0.1/a.png\n", nil)
    let users = try #require(try text.read().manifest).users
    #expect(
      users.flatMap(\.avatars).map { address(of: $0) } == ["http://127.0.0.1/a.png", "b.jpg"])
  }

  @Test(arguments: [
    ("https://example.org/team", "[{\"name\": \"Ada\"}]"),
    ("https://example.org/sheet?output=csv", "\u{FEFF}name,role\nAda,Boss\n"),
    ("https://example.org/t.php", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n"),
    ("https://example.org/", "---\n- name: Ada\n"), ("https://example.org/x.yml", "- name: Ada\n"),
    ("https://example.org/team/ada.md", "---\nrole: Boss\n---\n"),
    ("https://example.org/team.json?key=secret", "{\"people\": [{\"name\": \"Ada\"}]}"),
  ])
  func `a list's format is detected from its extension or content`(url: String, list: String) throws
  {
    let (manifest, diagnostics) = try text(list, at: url).read()
    #expect(manifest?.users.map(\.name) == ["Ada"])
    #expect(diagnostics.sorted.isEmpty)
    #expect(manifest?.users.first?.declared.location.file.contains("secret") == false)
  }

  private func list(_ names: [String]) -> String {
    "[" + names.map { "{\"id\": \"\($0)\"}" }.joined(separator: ",") + "]"
  }

  @Test(arguments: [
    (["a", "b", "c", "d"], ["a", "b"], true), (["a", "b", "c", "d"], ["a"], false),
    (["a", "b", "c"], ["c", "x", "y"], false), (["a", "b"], [], false), ([], ["a"], true),
    (["a"], ["b"], false),
  ])
  func `a list that loses more than half of its people is rejected`(
    former: [String], new: [String], isTaken: Bool
  ) throws {
    var text = text(list(new), former: list(former))
    let (manifest, diagnostics) = try text.read()
    #expect(manifest?.users.map(\.id) == (isTaken ? new : former))
    #expect(diagnostics.sorted.map(\.id) == (isTaken ? [] : ["users-shrunk"]))
    #expect(diagnostics.sorted.allSatisfy { $0.location?.file == "content/manifest.yaml" })
    text.allowShrink = true
    text.allowEmpty = true
    #expect(try text.read().manifest?.users.map(\.id) == new)
  }

  @Test(arguments: ["{", "<!DOCTYPE html><p>Log in</p>", "{\"error\": 1}", "\u{0}"])
  func `an invalid download does not replace the previous list`(new: String) throws {
    let (manifest, diagnostics) = try text(new, former: list(["a", "b"])).read()
    #expect(manifest?.users.map(\.id) == ["a", "b"])
    #expect(diagnostics.sorted.map(\.id) == ["source-stale"])
    #expect(diagnostics.sorted.first?.severity == .warning)
    // Without an earlier list, the problem is an error.
    #expect(try text(new).read().manifest == nil)
  }

  @Test(arguments: [
    ("https://user:secret@example.org/team.json", "bad-address"),
    ("https:///team.json", "bad-address"), ("https://elsewhere.example/x.json", "users-unreadable"),
  ])
  func `an invalid or unreachable list URL is an error`(url: String, id: String) throws {
    var text = text("[]")
    text.text = "version: 1\nusers: { from: \"\(url)\" }\n"
    let (manifest, diagnostics) = try text.read()
    #expect(manifest == nil)
    #expect(diagnostics.sorted.contains { $0.id == id })
    #expect(!diagnostics.sorted.contains { "\($0)".contains("secret") })
  }

  @Test func `a later list adds missing values to a fetched list`() throws {
    var text = text("[{\"id\": \"ada\", \"name\": \"Ada\"}]")
    text.text = "version: 1\nusers: { from: [\"\(Self.address)\", own.csv] }\n"
    text.files = ["own.csv": "id,photo\nada,ada.jpg\n"]
    let users = try #require(try text.read().manifest).users
    #expect(users.map(\.id) == ["ada"] && users[0].avatars.map { address(of: $0) } == ["ada.jpg"])
  }

  /// However a fetched list is damaged, its sources are not local files, and reading never traps.
  @Test(arguments: [
    ("json", "[{\"name\": \"A\", \"photo\": [\"../a.png\", \"data:,\", \"file:/x\"]}, \"B\"]"),
    ("csv", "name,photo\nA,../a.png|file:/x;C:\\y\nB,/etc/passwd\n"),
    ("yaml", "- { name: A, photo: ../a.png }\n- name: B\n  photo: { src: \"//h/x\" }\n"),
    ("vcf", "BEGIN:VCARD\nFN:A\nPHOTO:../a.png\nPHOTO:file:///x\nEND:VCARD\n"),
    ("md", "---\nname: A\nphoto: ./a.png\n---\n"), ("php", "name\tphoto\nA\tx:y\n"),
  ])
  func `damaged lists cannot refer to local files`(ending: String, list: String) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of damaged fetched \(ending): \(seed)")
    var random = SeededRandom(seed: seed)
    let url = "https://example.org/a/list.\(ending)"
    for _ in Extent.seeds(200, all: 2_000) {
      var bytes = Array(list.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &random)))
        case 1: bytes[at] = Array("./:\\|;%?#@ \"{[-\n".utf8).randomElement(using: &random) ?? 0
        default: bytes.insert(contentsOf: bytes[at...].prefix(20), at: at)
        }
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      var text = text(damaged, former: list, at: url, "  root: static")
      text.files = [:]
      let users = try text.read().manifest?.users ?? []
      for source in users.flatMap(\.avatars) {
        if case .file(let path) = source.kind { Issue.record("\(path.text), seed \(seed)") }
        if case .remote(.url(let url)) = source.kind { #expect(url.hasPrefix("https://")) }
      }
    }
  }
}

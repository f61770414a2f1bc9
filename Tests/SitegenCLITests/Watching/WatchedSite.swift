import Glibc
import TestSupport

/// A small site and the real program watching it.
final class WatchedSite {
  let site: SiteFolder
  let program: RunningProgram

  static let plain =
    #"{"name": "s", "size": 8, "shape": "square", "scales": [1], "formats": ["png"]"#
  static let style = plain + "}"

  /// Watches `site`, or by default a site of two people with a picture each.
  init(_ words: [String] = ["build", "--watch"], gate: ProgramGate? = nil, site: SiteFolder? = nil)
    throws
  {
    self.site = try site ?? Self.twoPeople()
    program = try self.site.start(
      words + ["--manifest", "content/manifest.json", "--jobs", "2"],
      environment: gate?.environment ?? RunningProgram.usualEnvironment)
  }

  static func twoPeople() throws -> SiteFolder {
    let site = SiteFolder()
    try site.write(picture: picture(.red), to: "a.png")
    try site.write(picture: picture(.blue), to: "b.png")
    try site.write(users: [("a", ["a.png"]), ("b", ["b.png"])])
    return site
  }

  static func picture(_ color: TestPicture.Pixel) -> Data {
    Data(TestPicture.png(width: 8, height: 8, kind: .color) { _, _ in color })
  }

  /// The output lines about rebuilds.
  var lines: [String] {
    program.said.split(separator: "\n").map { String($0) }.filter { !$0.hasPrefix("http:") }
  }

  func waitForLines(_ count: Int) -> Bool { eventually { lines.count >= count } }

  func waitFor(_ text: String, in page: String = "index.html") -> Bool {
    eventually { (try? site.folder.text(of: "output/\(page)").contains(text)) == true }
  }

  func interrupt() throws -> RunningProgram.Ending {
    program.send(SIGINT)
    return try program.ending()
  }

  var files: [String: Data] { Self.files(of: site.folder, "output/") }

  /// Builds the site again, which removes the pages that only a preview has.
  func build() throws {
    let ending = try site.run(["build", "--quiet", "--manifest", "content/manifest.json"])
    #expect(ending.status == 0)
  }

  /// Returns the files of a cold build of the same content in another folder.
  func coldFiles() throws -> [String: Data] {
    let other = TemporaryFolder(inMemory: true)
    let ending = try site.run([
      "build", "--quiet", "--manifest", "content/manifest.json",
      "--output", other.path(of: "output"), "--cache", other.path(of: "cache"),
    ])
    guard ending.status == 0 || ending.status == 1 else { return ["status": Data()] }
    return Self.files(of: other, "output/")
  }

  private static func files(of folder: TemporaryFolder, _ prefix: String) -> [String: Data] {
    var files: [String: Data] = [:]
    for path in folder.list() where path.hasPrefix(prefix) {
      guard !path.hasSuffix(".sitegen-lock"), let bytes = try? folder.read(path) else { continue }
      files[String(path.dropFirst(prefix.count))] = bytes
    }
    return files
  }

  /// Temporary files that should have been removed.
  var leftovers: [String] { site.folder.list().filter { $0.contains(".sitegen-tmp-") } }
}

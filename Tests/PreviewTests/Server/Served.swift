import Files
import Glibc
import Preview
import TestSupport

/// A running server with a small site.
final class Served: Sendable {
  let folder = TemporaryFolder()
  let live: LiveChannel
  let server: PreviewServer
  let port: UInt16

  /// The page as it is before the script is inserted.
  static let page = "<!DOCTYPE html>\n<title>Start</title>\n<body><p>Start</p></body>\n"
  static let picture =
    "assets/ab/ab" + String(repeating: "0123456789abcdef", count: 4).dropLast(2)
    + ".png"

  /// `fills` writes the site; `names` decides which files are part of it.
  init(
    _ settings: PreviewSettings = PreviewSettings(port: 0), fills: Bool = true,
    live: LiveChannel = LiveChannel(revision: 0),
    names: @escaping @Sendable (String, Folder) -> Bool = { _, _ in true }
  ) throws {
    self.live = live
    if fills { try Served.fill(folder) }
    server = try PreviewServer(
      settings, site: ServedSite(folder: folder.path(of: "site"), names: names), live: live)
    port = try #require(URL(string: server.url)?.port.flatMap(UInt16.init))
  }

  deinit {
    server.stop()
  }

  private static func fill(_ folder: TemporaryFolder) throws {
    try folder.write("canary", to: "secret.txt")
    try folder.write("canary", to: "outside/secret.txt")
    try folder.write(page, to: "site/index.html")
    try folder.write(page, to: "site/people/ada/index.html")
    try folder.write("a b", to: "site/a b.txt")
    try folder.write("Zoë", to: "site/zoë.txt")
    try folder.write("canary", to: "site/.hidden")
    try folder.write("canary", to: "site/.git/config")
    try folder.write("canary", to: "site/people/.hidden/index.html")
    try folder.write(String(repeating: "p { color: red }\n", count: 200), to: "site/style.css")
    try folder.write((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: "site/big.bin")
    try folder.write((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }, to: "site/" + picture)
    try folder.write("", to: "site/empty.bin")
    try folder.link("site/inside.txt", to: "a b.txt")
    try folder.link("site/out.txt", to: "../secret.txt")
    try folder.link("site/out", to: "../outside")
    try folder.link("site/away.txt", to: folder.path(of: "secret.txt"))
    try folder.link("site/loop.txt", to: "loop.txt")
  }

  var host: String { "127.0.0.1:\(port)" }

  func wire() throws -> Wire { try #require(Wire(to: port)) }

  func ask(
    _ target: String, _ headers: [String] = [], method: String = "GET",
    within time: Duration = .seconds(60)
  ) throws -> WireAnswer {
    let wire = try wire()
    wire.send(request(target, headers, method: method))
    return try #require(
      wire.answer(hasBody: method != "HEAD", within: time), "\(method) \(target) \(headers)")
  }

  func request(_ target: String, _ headers: [String] = [], method: String = "GET") -> String {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + headers
    return lines.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  func injected(_ page: String = page, revision: Int = 0) -> String {
    let script = "<script src=\"/-/live.js\" data-revision=\"\(revision)\"></script>"
    return page.replacingOccurrences(of: "</body>", with: script + "</body>")
  }

  func rename(_ old: String, to new: String) throws {
    let status = unsafe Glibc.rename(folder.path(of: "site/\(old)"), folder.path(of: "site/\(new)"))
    if status != 0 { throw CocoaError(.fileWriteUnknown) }
  }
}

extension LiveUpdate {
  static func changed(_ paths: [String]?) -> LiveUpdate { LiveUpdate(paths: paths) }

  static func failed(_ problems: [LiveProblem]) -> LiveUpdate {
    LiveUpdate(paths: [], problems: problems, isBuilt: false)
  }

  static func flawed(_ problems: [LiveProblem]) -> LiveUpdate {
    LiveUpdate(paths: [], problems: problems)
  }

  /// A successful build without changed files.
  static var mended: LiveUpdate { LiveUpdate(paths: []) }
}

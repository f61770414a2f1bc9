import Files
import Foundation
import Preview
import TestSupport

/// A folder of small pages that a real server shows to a real browser.
final class LiveSite {
  typealias Color = TestPicture.Pixel

  let folder = TemporaryFolder()
  let loans = Loans()
  private(set) var channel = LiveChannel()
  private var server: PreviewServer?
  private(set) var root = ""
  let browser: Browser

  init(scale: Double = 1) throws {
    browser = try Browser(scale: scale)
    try start()
  }

  deinit {
    loans.open()
    server?.stop()
  }

  // MARK: The server

  func stop() {
    server?.stop()
    server = nil
  }

  /// Listens, where it listened before, as another server that knows nothing of the one before.
  func start() throws {
    channel = LiveChannel()
    let port = URL(string: root)?.port.flatMap(UInt16.init(exactly:))
    let server = try PreviewServer(
      PreviewSettings(port: port),
      site: ServedSite(folder: folder.path, names: { _, _ in true }) { [loans] in
        loans.file($0)
      }, live: channel)
    root = server.url
    self.server = server
  }

  func send(_ event: LiveEvent) { channel.send(event) }

  /// Says that anything may have changed: more than is named one by one.
  func sendAnything() { send(.changed(nil)) }

  // MARK: The folder

  /// The policy of the pages that the tool makes.
  static let policy =
    "default-src 'self'; img-src 'self' file:; script-src 'self' file:; style-src 'self' file:;"
    + " object-src 'none'; base-uri 'none'; form-action 'none'"

  /// Writes a page.
  func write(_ body: String, head: String = "", to path: String = "index.html") throws {
    try folder.write(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <title>Sample page</title>
      \(head)
      </head>
      <body>
      <main>
      <h1>Sample page</h1>
      \(body)
      </main>
      </body>
      </html>

      """, to: path)
  }

  /// Where a picture of a colour lies, whether it does or not.
  static func path(_ color: Color, _ number: Int = 0) -> String {
    let bytes = [color.red, color.green, color.blue, UInt8(number)]
    let name = bytes.map { String(format: "%02x", $0) }.joined()
    return "assets/\(name.prefix(2))/\(String(repeating: name, count: 8)).png"
  }

  /// Puts a picture of one colour into the folder, and tells where.
  func paint(_ color: Color, _ number: Int = 0) throws -> String {
    let path = Self.path(color, number)
    try folder.write(Self.picture(color), to: path)
    return path
  }

  /// Has a picture stand in that the folder does not have.
  func lend(_ color: Color, _ number: Int = 0, isHeld: Bool = false) -> String {
    let path = Self.path(color, number)
    loans.lend(Self.picture(color), as: path, isHeld: isHeld)
    return path
  }

  private static func picture(_ color: Color) -> Data {
    TestPicture.png(width: 40, height: 40) { _, _ in color }
  }

  // MARK: Pages

  /// A tab that shows a page and has been told what there is to know.
  func page(_ path: String = "", width: Int = 800, isDark: Bool = false) throws -> BrowserPage {
    let page = try browser.page(width: width, isDark: isDark)
    try page.prepare(Self.listen)
    try page.open(root + path)
    try page.waitAcrossLoads(for: "window.heard.includes('hello')")
    try page.run("window.mark = 1")
    return page
  }

  /// Remembers what a page hears, and what it says it has swapped.
  private static let listen = """
    window.heard = [];
    window.swapped = [];
    for (const name of ["EventSource", "BroadcastChannel"]) {
      window[name] = class extends window[name] {
        constructor(...words) {
          super(...words);
          this.addEventListener("message", ({ data }) => {
            const message = typeof data === "string" ? JSON.parse(data) : data.message;
            heard.push(data.answer ? "hello" : message?.type);
          });
        }
      };
    }
    document.addEventListener("sitegen:swapped", ({ detail }) => swapped.push(detail));
    """
}

/// Files that are in no folder, some of them held back.
final class Loans: Sendable {
  private struct State {
    var files: [String: Data] = [:]
    var held: Set<String> = []
    var asked: Set<String> = []
    var isOpen = false
  }

  private let state = Guarded(State())

  func lend(_ bytes: Data, as path: String, isHeld: Bool) {
    state.withLock { state in
      state.files[path] = bytes
      if isHeld { state.held.insert(path) }
    }
  }

  /// Lets one go, or everything from now on.
  func open(_ path: String? = nil) {
    state.withLock { state in
      if let path { state.held.remove(path) } else { state.isOpen = true }
    }
  }

  func isAsked(for path: String) -> Bool { state.withLock { $0.asked.contains(path) } }

  /// Waits as long as it is held, at most for half a minute.
  func file(_ path: String) -> FallbackFile? {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let file: Data?? = state.withLock { state in
        state.asked.insert(path)
        let isHeld = state.held.contains(path) && !state.isOpen
        return isHeld ? .none : .some(state.files[path])
      }
      if let file { return file.map { FallbackFile(bytes: $0, isForEver: true) } }
      usleep(2_000)
    }
    return nil
  }
}

extension BrowserPage {
  /// Whether the page is the one that was opened, and was not loaded again.
  var isSame: Bool { get throws { try value(of: "window.mark === 1") } }

  /// Waits until something holds, though the page may be loaded again meanwhile.
  func waitAcrossLoads(for condition: String) throws {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      if (try? value(of: condition, as: Bool.self)) == true { return }
      usleep(2_000)
    }
    throw Browser.Failure.late(condition)
  }

  /// Waits until the page has been loaded again and has been told what there is to know.
  func waitForLoad() throws {
    try waitAcrossLoads(
      for: "window.mark !== 1 && document.readyState === 'complete' && heard.includes('hello')")
  }

  /// The colour at a place, as red, green and blue.
  func color(x: Double, y: Double) throws -> [UInt8] {
    let shot = try PNGReader(screenshot(x: x, y: y, width: 1, height: 1))
    return Array(shot.pixels.prefix(3))
  }
}

extension LiveSite.Color {
  var bytes: [UInt8] { [red, green, blue] }
}

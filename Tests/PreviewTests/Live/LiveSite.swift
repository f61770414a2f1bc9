import Files
import Preview
import TestSupport

/// A real server with small pages, and a real browser.
final class LiveSite {
  typealias Color = TestPicture.Pixel

  let folder = TemporaryFolder()
  let gate = Gate()
  private(set) var channel = LiveChannel()
  private var server: PreviewServer?
  private(set) var root = ""
  let browser: Browser

  init(scale: Double = 1) throws {
    browser = try Browser(scale: scale)
    try start()
  }

  deinit {
    gate.open()
    server?.stop()
  }

  func stop() {
    server?.stop()
    server = nil
  }

  /// Starts a new server on the same port, without the state of the old one.
  func start() throws {
    channel = LiveChannel()
    let port = URL(string: root)?.port.flatMap(UInt16.init(exactly:))
    let server = try PreviewServer(
      PreviewSettings(port: port),
      site: ServedSite(folder: folder.path) { [gate] path, _ in
        gate.pass(path)
        return true
      }, live: channel)
    root = server.url
    self.server = server
  }

  func send(_ update: LiveUpdate) { channel.send(update) }

  static let policy =
    "default-src 'self'; img-src 'self' file:; script-src 'self' file:; style-src 'self' file:;"
    + " object-src 'none'; base-uri 'none'; form-action 'none'"

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

  /// Returns the path of a picture by its colour.
  static func path(_ color: Color, _ number: Int = 0) -> String {
    let bytes = [color.red, color.green, color.blue, UInt8(number)]
    let name = bytes.map { String(format: "%02x", $0) }.joined()
    return "assets/\(name.prefix(2))/\(String(repeating: name, count: 8)).png"
  }

  /// Writes a picture of one colour; with `isHeld`, it is served only after the gate opens.
  func paint(_ color: Color, _ number: Int = 0, isHeld: Bool = false) throws -> String {
    let path = Self.path(color, number)
    if isHeld { gate.hold(path) }
    try folder.write(Self.picture(color), to: path)
    return path
  }

  private static func picture(_ color: Color) -> Data {
    TestPicture.png(width: 40, height: 40) { _, _ in color }
  }

  /// Opens a tab with a page, and waits for the first message.
  func page(_ path: String = "", width: Int = 800, isDark: Bool = false) throws -> BrowserPage {
    let page = try browser.page(width: width, isDark: isDark)
    try page.prepare(Self.listen)
    try page.open(root + path)
    try page.waitAcrossLoads(for: "window.heard.length > 0")
    try page.run("window.mark = 1")
    return page
  }

  /// Records the revisions that a page receives.
  private static let listen = """
    window.heard = [];
    window.EventSource = class extends EventSource {
      constructor(...words) {
        super(...words);
        this.addEventListener("message", ({ data }) => heard.push(JSON.parse(data).revision));
      }
    };
    """
}

/// Delays the replies for selected files.
final class Gate: Sendable {
  private struct State {
    var held: Set<String> = []
    var asked: Set<String> = []
  }

  private let state = Locked(State())

  func hold(_ path: String) { _ = state.withLock { $0.held.insert(path) } }

  func open() { state.withLock { $0.held = [] } }

  func isAsked(for path: String) -> Bool { state.withLock { $0.asked.contains(path) } }

  /// Waits while the path is held, for at most a minute.
  func pass(_ path: String) {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      let isHeld = state.withLock { state in
        state.asked.insert(path)
        return state.held.contains(path)
      }
      if !isHeld { return }
      usleep(2_000)
    }
  }
}

extension BrowserPage {
  /// Whether the page has not been reloaded.
  var isSame: Bool { get throws { try value(of: "window.mark === 1") } }

  /// Waits for a condition, even if the page is reloaded in the meantime.
  func waitAcrossLoads(for condition: String) throws {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if (try? value(of: condition, as: Bool.self)) == true { return }
      usleep(2_000)
    }
    throw Browser.Failure.late(condition)
  }

  /// Waits until the page is reloaded and has received its first message.
  func waitForLoad() throws {
    try waitAcrossLoads(
      for: "window.mark !== 1 && document.readyState === 'complete' && heard.length > 0")
  }

  func color(x: Double, y: Double) throws -> [UInt8] {
    let shot = try PNGReader(screenshot(x: x, y: y, width: 1, height: 1))
    return Array(shot.pixels.prefix(3))
  }
}

extension LiveSite.Color {
  var bytes: [UInt8] { [red, green, blue] }
}

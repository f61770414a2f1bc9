import Foundation
import Glibc

/// Headless Chromium for one test; whatever happens, it is gone when this is.
///
/// It is told what to do through its pipe for debuggers, so that a test can press real buttons,
/// ask for a dark page and see what was requested. Everything waits for an answer, for a bounded
/// time; nothing sleeps.
package final class Browser {
  package enum Failure: Error {
    /// It did not answer in time.
    case late(String)
    /// It ended, or said what nobody understands.
    case silent(String)
    /// It did not do what it was told.
    case refused(String)
  }

  package typealias Record = [String: Any]

  /// script/bootstrap test installs it.
  static let program = "/usr/bin/chromium"
  private static let patience = Duration.seconds(60)

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let ended = DispatchSemaphore(value: 0)
  /// Its profile, and all that it believes to be at home.
  private let home = TemporaryFolder()
  private var unread = Data()
  private var lastNumber = 0
  /// What it told without being asked, oldest first.
  private var events: [Record] = []

  /// - Parameters:
  ///   - scale: Pixels of the device for each one of CSS: as a real screen, since a scale that is
  ///     only emulated lays out in whole CSS pixels.
  ///   - hasMouse: Whether pages are told that something can hover.
  /// - Throws: When it cannot be started.
  package init(scale: Double = 1, hasMouse: Bool = true) throws {
    let pointer =
      "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
    // The pipe for debuggers is files 3 and 4, which a shell makes of the ones that it gets.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", Self.program]
      + [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-breakpad",
        "--force-color-profile=srgb", "--force-device-scale-factor=\(scale)",
        "--user-data-dir=\(home.path)/profile",
      ] + (hasMouse ? ["--blink-settings=\(pointer)"] : [])
    process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "TMPDIR": home.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    // Else the end of the browser would not end what we read.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  deinit {
    kill()
  }

  /// A tab of its own.
  ///
  /// - Parameters:
  ///   - width: CSS pixels.
  ///   - height: CSS pixels.
  ///   - isDark: Whether the page is asked to be dark.
  /// - Throws: When the browser does not do it.
  /// - Returns: The tab, which shows nothing yet.
  package func page(
    width: Int = 800, height: Int = 600, isDark: Bool = false
  ) throws -> BrowserPage {
    let target = try send("Target.createTarget", ["url": "about:blank"])
    guard let id = target["targetId"] as? String,
      let session = try send("Target.attachToTarget", ["targetId": id, "flatten": true])[
        "sessionId"] as? String
    else { throw Failure.silent("no tab") }
    let page = BrowserPage(self, session: session)
    for domain in ["Page", "Runtime", "Log", "Network"] { try page.send("\(domain).enable") }
    try page.send(
      "Emulation.setDeviceMetricsOverride",
      // No scale of its own.
      ["width": width, "height": height, "deviceScaleFactor": 0, "mobile": false])
    try page.show(isDark: isDark)
    return page
  }

  /// Lets pages read the clipboard without asking.
  package func allowClipboard() throws {
    try _ = send("Browser.grantPermissions", ["permissions": ["clipboardReadWrite"]])
  }

  // MARK: Messages

  /// Sends a command and waits for its answer.
  func send(
    _ method: String, _ parameters: Record = [:], session: String? = nil
  ) throws -> Record {
    lastNumber += 1
    let number = lastNumber
    var command: Record = ["id": number, "method": method, "params": parameters]
    if let session { command["sessionId"] = session }
    try input.fileHandleForWriting.write(
      contentsOf: JSONSerialization.data(withJSONObject: command) + [0])
    let end = ContinuousClock.now + Self.patience
    while true {
      let message = try receive(before: end, for: method)
      guard message["id"] as? Int == number else {
        events.append(message)
        continue
      }
      if let error = message["error"] { throw Failure.refused("\(method): \(error)") }
      return message["result"] as? Record ?? [:]
    }
  }

  /// What a session was told of one kind so far.
  func events(_ method: String, session: String) -> [Record] {
    events.filter { $0["method"] as? String == method && $0["sessionId"] as? String == session }
      .compactMap { $0["params"] as? Record }
  }

  /// Waits until a session has been told something this many times.
  func wait(for method: String, times: Int, session: String) throws {
    let end = ContinuousClock.now + Self.patience
    while events(method, session: session).count < times {
      events.append(try receive(before: end, for: method))
    }
  }

  /// The next message; they end with a zero.
  private func receive(before end: ContinuousClock.Instant, for what: String) throws -> Record {
    let handle = output.fileHandleForReading
    while true {
      if let zero = unread.firstIndex(of: 0) {
        let message = unread[unread.startIndex..<zero]
        unread = Data(unread[unread.index(after: zero)...])
        guard let record = try JSONSerialization.jsonObject(with: message) as? Record else {
          throw Failure.silent(what)
        }
        return record
      }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw Failure.late(what) }
      var wish = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wish, 1, Int32(left.components.seconds * 1_000 + 1)) > 0 else { continue }
      let bytes = handle.availableData
      guard !bytes.isEmpty else { throw Failure.silent(what) }
      unread += bytes
    }
  }

  /// Ends it and all it started, which are one process group, and waits until it is gone.
  private func kill() {
    guard process.isRunning else { return }
    _ = Glibc.kill(-process.processIdentifier, SIGKILL)
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    _ = ended.wait(timeout: .now() + 10)
  }
}

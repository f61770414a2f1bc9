import Files
import Glibc

/// A running Chromium, which tests reuse because each start takes a second.
final class BrowserProgram {
  static let path = "/usr/bin/chromium"
  private static let patience = Duration.seconds(120)

  /// Idle programs, keyed by their arguments.
  private static let idle = {
    atexit { BrowserProgram.endIdle() }
    return Locked<[[String]: [BrowserProgram]]>([:])
  }()

  private let arguments: [String]
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let ended = DispatchSemaphore(value: 0)
  /// The folder for the profile and the home folder.
  private let home = TemporaryFolder()
  private var unread = Data()
  private var lastNumber = 0
  private var events: [Browser.Record] = []

  static func take(scale: Double, hasMouse: Bool) throws -> BrowserProgram {
    let pointer =
      "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
    let arguments =
      ["--force-device-scale-factor=\(scale)"]
      + (hasMouse ? ["--blink-settings=\(pointer)"] : [])
    return try idle.withLock { $0[arguments]?.popLast() } ?? BrowserProgram(arguments)
  }

  private static func endIdle() { idle.withLock { $0 = [:] } }

  private init(_ arguments: [String]) throws {
    self.arguments = arguments
    // The DevTools pipe uses descriptors 3 and 4, which the shell sets up.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", Self.path]
      + [
        "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-breakpad",
        "--force-color-profile=srgb", "--user-data-dir=\(home.path)/profile",
      ] + arguments
    process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "TMPDIR": home.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    // Closes this end, because reading would not stop at the browser's exit otherwise.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  deinit {
    kill()
  }

  /// Closes a test's tabs, and keeps the program for reuse unless it has failed.
  func giveBack(_ context: String) {
    let isSound = (try? send("Target.disposeBrowserContext", ["browserContextId": context])) != nil
    guard isSound else { return kill() }
    events = []
    Self.idle.withLock { $0[arguments, default: []].append(self) }
  }

  @discardableResult
  func send(
    _ method: String, _ parameters: Browser.Record = [:], session: String? = nil
  ) throws -> Browser.Record {
    guard process.isRunning else { throw Browser.Failure.silent(method) }
    lastNumber += 1
    let number = lastNumber
    var command: Browser.Record = ["id": number, "method": method, "params": parameters]
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
      if let error = message["error"] { throw Browser.Failure.refused("\(method): \(error)") }
      return message["result"] as? Browser.Record ?? [:]
    }
  }

  func events(_ method: String, session: String) -> [Browser.Record] {
    events.filter { $0["method"] as? String == method && $0["sessionId"] as? String == session }
      .compactMap { $0["params"] as? Browser.Record }
  }

  func wait(for method: String, times: Int, session: String) throws {
    let end = ContinuousClock.now + Self.patience
    while events(method, session: session).count < times {
      events.append(try receive(before: end, for: method))
    }
  }

  /// Returns the next message; messages end with a zero byte.
  private func receive(before end: ContinuousClock.Instant, for what: String) throws
    -> Browser.Record
  {
    let handle = output.fileHandleForReading
    while true {
      if let zero = unread.firstIndex(of: 0) {
        let message = unread[unread.startIndex..<zero]
        unread = Data(unread[unread.index(after: zero)...])
        guard let record = try JSONSerialization.jsonObject(with: message) as? Browser.Record else {
          throw Browser.Failure.silent(what)
        }
        return record
      }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw Browser.Failure.late(what) }
      var wish = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wish, 1, Int32(left.components.seconds * 1_000 + 1)) > 0 else { continue }
      let bytes = handle.availableData
      guard !bytes.isEmpty else { throw Browser.Failure.silent(what) }
      unread += bytes
    }
  }

  /// Kills the process group and waits until it has exited.
  private func kill() {
    guard process.isRunning else { return }
    _ = Glibc.kill(-process.processIdentifier, SIGKILL)
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    _ = ended.wait(timeout: .now() + 10)
  }
}

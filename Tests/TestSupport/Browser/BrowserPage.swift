/// A tab of a browser.
package final class BrowserPage {
  private let browser: Browser
  private let session: String

  init(_ browser: Browser, session: String) {
    self.browser = browser
    self.session = session
  }

  // MARK: Showing

  /// Opens an address, and waits until everything on it has come.
  package func open(_ address: String) throws {
    let loads = browser.program.events("Page.loadEventFired", session: session).count
    let answer = try send("Page.navigate", ["url": address])
    if let text = answer["errorText"] as? String {
      throw Browser.Failure.refused("\(address): \(text)")
    }
    try browser.program.wait(for: "Page.loadEventFired", times: loads + 1, session: session)
  }

  package func open(file path: String) throws {
    try open(URL(fileURLWithPath: path).absoluteString)
  }

  /// Opens an address, and waits until what it says is read; pictures may still be on their way.
  package func begin(_ address: String) throws {
    let count = browser.program.events("Page.domContentEventFired", session: session).count
    try send("Page.navigate", ["url": address])
    try browser.program.wait(for: "Page.domContentEventFired", times: count + 1, session: session)
  }

  /// Closes the tab; it cannot be used any more.
  package func close() throws { try send("Page.close") }

  /// Runs a script in every page to come, before anything of the page does.
  package func prepare(_ script: String) throws {
    try send("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }

  /// Asks the page to be dark or light, to leave its colours to the system, to keep still.
  package func show(
    isDark: Bool, hasForcedColors: Bool = false, isMotionReduced: Bool = false
  ) throws {
    let features = [
      ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
      ["name": "forced-colors", "value": hasForcedColors ? "active" : "none"],
      ["name": "prefers-reduced-motion", "value": isMotionReduced ? "reduce" : "no-preference"],
    ]
    try send("Emulation.setEmulatedMedia", ["features": features])
  }

  /// A scale that is only emulated: layout stays in whole CSS pixels, and is drawn larger.
  package func show(scale: Double, width: Int = 800, height: Int = 600) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": false])
    try wait(for: "devicePixelRatio === \(scale)")
  }

  /// Lets no script of the page run; what `value(of:)` asks does.
  package func forbidScripts() throws {
    try send("Emulation.setScriptExecutionDisabled", ["value": true])
  }

  /// A PNG of a part, in pixels of the device.
  package func screenshot(
    x: Double = 0, y: Double = 0, width: Double, height: Double
  ) throws -> Data {
    let clip = ["x": x, "y": y, "width": width, "height": height, "scale": 1]
    let answer = try send(
      "Page.captureScreenshot",
      ["format": "png", "clip": clip, "captureBeyondViewport": true])
    guard let text = answer["data"] as? String, let bytes = Data(base64Encoded: text) else {
      throw Browser.Failure.silent("no screenshot")
    }
    return bytes
  }

  // MARK: Asking

  /// What an expression is worth, once it is settled: anything that JSON can say.
  package func value<Value: Decodable>(
    of expression: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let answer = try send(
      "Runtime.evaluate",
      [
        "expression": "(async () => JSON.stringify([await (\(expression))]))()",
        "awaitPromise": true, "returnByValue": true,
      ])
    if let details = answer["exceptionDetails"] {
      throw Browser.Failure.refused("\(expression): \(details)")
    }
    let result = answer["result"] as? Browser.Record
    guard let text = result?["value"] as? String,
      let value = try JSONDecoder().decode([Value].self, from: Data(text.utf8)).first
    else { throw Browser.Failure.silent(expression) }
    return value
  }

  /// Waits until something holds, from frame to frame.
  package func wait(for condition: String) throws {
    let isSo: Bool = try value(
      of: """
        new Promise(done => {
          const end = performance.now() + 60000;
          const look = () => (\(condition)) ? done(true)
            : performance.now() > end ? done(false) : requestAnimationFrame(look);
          look();
        })
        """)
    guard isSo else { throw Browser.Failure.late(condition) }
  }

  /// Runs a script that is worth nothing.
  package func run(_ script: String) throws {
    let answer = try send("Runtime.evaluate", ["expression": script, "awaitPromise": true])
    if let details = answer["exceptionDetails"] {
      throw Browser.Failure.refused("\(script.prefix(200)): \(details)")
    }
  }

  /// Waits until two frames were painted, so that whatever they need was asked for.
  package func settle() throws {
    let frames = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))"
    let _: Int = try value(of: frames)
  }

  /// Waits until all that was asked for has come or failed, and is painted; streams never end.
  package func finishLoading() throws {
    let end = ContinuousClock.now + .seconds(60)
    func ids(_ event: String, but kind: String = "") -> Set<String> {
      Set(
        browser.program.events("Network.\(event)", session: session)
          .filter { $0["type"] as? String != kind }.compactMap { $0["requestId"] as? String })
    }
    repeat {
      try settle()
      let open = ids("requestWillBeSent", but: "EventSource")
      if open.subtracting(ids("loadingFinished")).subtracting(ids("loadingFailed")).isEmpty {
        return try settle()
      }
    } while ContinuousClock.now < end
    throw Browser.Failure.late("everything that was asked for")
  }

  /// Errors and breaches of the policy that the console was told of.
  package var complaints: [String] {
    let entries = browser.program.events("Log.entryAdded", session: session)
      .compactMap { $0["entry"] as? Browser.Record }
      .filter { ($0["level"] as? String) == "error" || ($0["source"] as? String) == "security" }
      // It asks for one of any site.
      .filter { ($0["url"] as? String)?.hasSuffix("/favicon.ico") != true }
      .map { "\($0["text"] ?? "") \($0["url"] ?? "")" }
    let thrown = browser.program.events("Runtime.exceptionThrown", session: session).map { "\($0)" }
    let printed = browser.program.events("Runtime.consoleAPICalled", session: session).map {
      "\($0)"
    }
    return entries + thrown + printed
  }

  /// Every address that was asked for so far.
  package var requests: [String] {
    browser.program.events("Network.requestWillBeSent", session: session)
      .compactMap { ($0["request"] as? Browser.Record)?["url"] as? String }
  }

  // MARK: Touching

  /// A mouse that really moves and presses, at a place of the page.
  package func mouse(_ action: MouseAction, x: Double, y: Double) throws {
    var event: Browser.Record = ["type": action.rawValue, "x": x, "y": y, "pointerType": "mouse"]
    if action != .moved { event["clickCount"] = 1 }
    event["button"] = isDown || action != .moved ? "left" : "none"
    if action == .pressed { isDown = true }
    event["buttons"] = isDown ? 1 : 0
    if action == .released { isDown = false }
    try send("Input.dispatchMouseEvent", event)
    try settle()
  }

  package enum MouseAction: String {
    case moved = "mouseMoved"
    case pressed = "mousePressed"
    case released = "mouseReleased"
  }

  private var isDown = false

  /// One finger on a screen that can be touched; without a place it is lifted.
  package func finger(_ action: FingerAction, x: Double = 0, y: Double = 0) throws {
    try send("Emulation.setTouchEmulationEnabled", ["enabled": true, "maxTouchPoints": 1])
    let points = action == .lifted ? [] : [["x": x, "y": y]]
    try send("Input.dispatchTouchEvent", ["type": action.rawValue, "touchPoints": points])
    try settle()
  }

  package enum FingerAction: String {
    case laid = "touchStart"
    case moved = "touchMove"
    case lifted = "touchEnd"
  }

  /// A key goes down or up, with the character that it types, if any.
  package func key(isDown: Bool, code: String, text: String? = nil, number: Int) throws {
    let down = text == nil ? "rawKeyDown" : "keyDown"
    var event: Browser.Record = [
      "type": isDown ? down : "keyUp", "code": code, "key": text ?? code,
      "windowsVirtualKeyCode": number,
    ]
    if let text, isDown { event["text"] = text }
    try send("Input.dispatchKeyEvent", event)
    try settle()
  }

  @discardableResult
  func send(_ method: String, _ parameters: Browser.Record = [:]) throws -> Browser.Record {
    try browser.program.send(method, parameters, session: session)
  }
}

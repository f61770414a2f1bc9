package final class BrowserPage {
  private let browser: Browser
  private let session: String

  init(_ browser: Browser, session: String) { (self.browser, self.session) = (browser, session) }

  /// Opens a URL and waits for its load event.
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

  /// Opens a URL and waits until its HTML is parsed; pictures may still be loading.
  package func begin(_ address: String) throws {
    let count = browser.program.events("Page.domContentEventFired", session: session).count
    try send("Page.navigate", ["url": address])
    try browser.program.wait(for: "Page.domContentEventFired", times: count + 1, session: session)
  }

  package func close() throws { try send("Page.close") }

  /// Runs a script in every new page, before the page's scripts.
  package func prepare(_ script: String) throws {
    try send("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }

  /// Sets the colour scheme, forced colours and reduced motion.
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

  /// Emulates a scale: the layout stays in whole CSS pixels and is drawn larger.
  package func show(scale: Double, width: Int = 800, height: Int = 600) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": false])
    try wait(for: "devicePixelRatio === \(scale)")
  }

  /// Disables the page's scripts, but not `value(of:)`.
  package func forbidScripts() throws {
    try send("Emulation.setScriptExecutionDisabled", ["value": true])
  }

  /// Returns a PNG of part of the page, in device pixels.
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

  /// Evaluates an expression, awaits promises, and decodes the value as JSON.
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

  /// Waits for a condition, which is checked in each frame, even after up to `navigations` loads.
  package func wait(for condition: String, navigations: Int = 9) throws {
    let look = """
      new Promise(done => {
        const end = performance.now() + 60000;
        const look = () => (\(condition)) ? done(true)
          : performance.now() > end ? done(false) : requestAnimationFrame(look);
        look();
      })
      """
    do {
      guard try value(of: look) else { throw Browser.Failure.late(condition) }
    } catch Browser.Failure.refused(let text)
      where navigations > 0 && text.contains("Inspected target navigated")
    {
      try wait(for: condition, navigations: navigations - 1)
    }
  }

  package func run(_ script: String) throws {
    let answer = try send("Runtime.evaluate", ["expression": script, "awaitPromise": true])
    if let details = answer["exceptionDetails"] {
      throw Browser.Failure.refused("\(script.prefix(200)): \(details)")
    }
  }

  /// Waits for two painted frames, so that their requests have started.
  package func waitForPaint() throws {
    let frames = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))"
    let _: Int = try value(of: frames)
  }

  /// Waits until all requests except streams have ended and the page is painted.
  package func finishLoading() throws {
    let end = ContinuousClock.now + .seconds(60)
    func ids(_ event: String, but kind: String = "") -> Set<String> {
      Set(
        browser.program.events("Network.\(event)", session: session)
          .filter { $0["type"] as? String != kind }.compactMap { $0["requestId"] as? String })
    }
    repeat {
      try waitForPaint()
      let open = ids("requestWillBeSent", but: "EventSource")
      if open.subtracting(ids("loadingFinished")).subtracting(ids("loadingFailed")).isEmpty {
        return try waitForPaint()
      }
    } while ContinuousClock.now < end
    throw Browser.Failure.late("all requests")
  }

  /// Console errors and violations of the Content-Security-Policy.
  package var complaints: [String] {
    let entries = browser.program.events("Log.entryAdded", session: session)
      .compactMap { $0["entry"] as? Browser.Record }
      .filter { ($0["level"] as? String) == "error" || ($0["source"] as? String) == "security" }
      // Browsers request the favicon from every site.
      .filter { ($0["url"] as? String)?.hasSuffix("/favicon.ico") != true }
      .map { "\($0["text"] ?? "") \($0["url"] ?? "")" }
    let thrown = browser.program.events("Runtime.exceptionThrown", session: session).map { "\($0)" }
    let printed = browser.program.events("Runtime.consoleAPICalled", session: session).map {
      "\($0)"
    }
    return entries + thrown + printed
  }

  package var requests: [String] {
    browser.program.events("Network.requestWillBeSent", session: session)
      .compactMap { ($0["request"] as? Browser.Record)?["url"] as? String }
  }

  package func mouse(_ action: MouseAction, x: Double, y: Double) throws {
    var event: Browser.Record = ["type": action.rawValue, "x": x, "y": y, "pointerType": "mouse"]
    if action != .moved { event["clickCount"] = 1 }
    event["button"] = isDown || action != .moved ? "left" : "none"
    if action == .pressed { isDown = true }
    event["buttons"] = isDown ? 1 : 0
    if action == .released { isDown = false }
    try send("Input.dispatchMouseEvent", event)
    try waitForPaint()
  }

  package enum MouseAction: String {
    case moved = "mouseMoved"
    case pressed = "mousePressed"
    case released = "mouseReleased"
  }

  private var isDown = false

  /// Touches the screen with one finger, or lifts it.
  package func finger(_ action: FingerAction, x: Double = 0, y: Double = 0) throws {
    try send("Emulation.setTouchEmulationEnabled", ["enabled": true, "maxTouchPoints": 1])
    let points = action == .lifted ? [] : [["x": x, "y": y]]
    try send("Input.dispatchTouchEvent", ["type": action.rawValue, "touchPoints": points])
    try waitForPaint()
  }

  package enum FingerAction: String {
    case laid = "touchStart"
    case moved = "touchMove"
    case lifted = "touchEnd"
  }

  package func key(isDown: Bool, code: String, text: String? = nil, number: Int) throws {
    let down = text == nil ? "rawKeyDown" : "keyDown"
    var event: Browser.Record = [
      "type": isDown ? down : "keyUp", "code": code, "key": text ?? code,
      "windowsVirtualKeyCode": number,
    ]
    if let text, isDown { event["text"] = text }
    try send("Input.dispatchKeyEvent", event)
    try waitForPaint()
  }

  @discardableResult
  func send(_ method: String, _ parameters: Browser.Record = [:]) throws -> Browser.Record {
    try browser.program.send(method, parameters, session: session)
  }
}

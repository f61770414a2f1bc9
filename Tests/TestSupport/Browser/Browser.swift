/// Headless Chromium for one test, with its own cookies, cache and storage.
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

  let program: BrowserProgram
  private let context: String

  /// - Parameters:
  ///   - scale: Pixels of the device for each one of CSS: as a real screen, since a scale that is
  ///     only emulated lays out in whole CSS pixels.
  ///   - hasMouse: Whether pages are told that something can hover.
  /// - Throws: When it cannot be started.
  package init(scale: Double = 1, hasMouse: Bool = true) throws {
    program = try BrowserProgram.take(scale: scale, hasMouse: hasMouse)
    let answer = try program.send("Target.createBrowserContext")
    guard let context = answer["browserContextId"] as? String else {
      throw Failure.silent("no context")
    }
    self.context = context
  }

  deinit {
    program.giveBack(context)
  }

  /// Opens a tab that shows nothing yet.
  ///
  /// - Parameters:
  ///   - width: CSS pixels.
  ///   - height: CSS pixels.
  ///   - isDark: Whether the page is asked to be dark.
  /// - Throws: When the browser does not do it.
  /// - Returns: The tab.
  package func page(
    width: Int = 800, height: Int = 600, isDark: Bool = false
  ) throws -> BrowserPage {
    let target = try program.send(
      "Target.createTarget", ["url": "about:blank", "browserContextId": context])
    guard let id = target["targetId"] as? String,
      let session = try program.send("Target.attachToTarget", ["targetId": id, "flatten": true])[
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
    try _ = program.send(
      "Browser.grantPermissions",
      ["permissions": ["clipboardReadWrite"], "browserContextId": context])
  }
}

/// Headless Chromium for one test, with separate cookies, cache and storage.
///
/// Tests control the browser through the DevTools pipe, so that they can press real keys and see
/// requests. Each call waits for its response, with a timeout.
package final class Browser {
  package enum Failure: Error {
    case late(String)
    /// The browser exited or sent an invalid message.
    case silent(String)
    case refused(String)
  }

  package typealias Record = [String: Any]

  let program: BrowserProgram
  private let context: String

  /// Uses the real device scale, because layout at an emulated scale is in whole CSS pixels.
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
      // With a factor of 0, the page keeps the scale of the device.
      ["width": width, "height": height, "deviceScaleFactor": 0, "mobile": false])
    try page.show(isDark: isDark)
    return page
  }

  package func allowClipboard() throws {
    try _ = program.send(
      "Browser.grantPermissions",
      ["permissions": ["clipboardReadWrite"], "browserContextId": context])
  }
}

import TestSupport

struct LiveScriptTests {
  private static let folder = Checkout.root
    .appending(path: "Sources/Preview/Live/live")

  @Test func `the script includes every file once, in one closure`() throws {
    let script = try Served().ask("/-/live.js").text
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(names.count > 5)
    for name in names {
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      #expect(script.components(separatedBy: text).count == 2, "\(name)")
      // The style sheet is inside a template literal.
      if name.hasSuffix(".css") {
        for sign in ["`", "\\", "${"] { #expect(!text.contains(sign), "\(name)") }
      }
    }
    #expect(script.contains("\"use strict\";\n\n(() => {\n"))
    #expect(script.hasSuffix("\n})();\n"))
  }
}

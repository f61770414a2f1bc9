import Foundation
import Testing

struct MessagesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `every message of a template is in the README, and no other`() throws {
    let sources = Self.root.appendingPathComponent("Sources/Mustache")
    var written: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /"(template-[a-z0-9-]+)"/) { written.insert(String(match.1)) }
    }
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("templates/README.md"), encoding: .utf8)
    let listed = Set(page.matches(of: /\n\| `(template-[a-z0-9-]+)` \|/).map { String($0.1) })
    #expect(listed == written)
  }
}

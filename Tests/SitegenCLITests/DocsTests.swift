import Foundation
import SitegenCLI
import Testing

struct DocsTests {
  private static let page: String? = try? String(
    contentsOfFile: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/docs/command-line.md",
    encoding: .utf8)

  @Test func `the page shows what help prints`() throws {
    let page = try #require(Self.page)
    #expect(page.contains("```text\n" + HelpPage(Command.all).text + "```\n"))
    for command in Command.all {
      #expect(page.contains("```text\n" + HelpPage(command).text + "```\n"))
    }
  }

  @Test func `the page lists every message of the command line`() throws {
    let page = try #require(Self.page)
    for id in CommandLineID.allCases {
      #expect(page.contains("| `\(id.rawValue)` | \(id.meaning) | \(id.advice) |\n"))
    }
  }
}

import Diagnostics
import TestSupport

struct DiagnosticIDTests {
  private static let pages = [
    "docs/reference/diagnostics.md", "docs/reference/cli.md", "templates/README.md",
  ]

  /// All list items and table rows that begin with an id, as `id`: meaning.
  private static let rows: [String] = {
    var rows: [String] = []
    for page in pages {
      let text = (try? Checkout.text(of: page)) ?? ""
      var isTable = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        isTable = line.hasPrefix("|") && (isTable || line.hasPrefix("| id |"))
        if isTable, line.hasPrefix("| `") {
          rows.append(String(line.dropFirst(2).dropLast(2)).replacing("` | ", with: "`: "))
        } else if page == pages[0], line.hasPrefix("- `") {
          rows.append(String(line.dropFirst(2)))
        }
      }
    }
    return rows
  }()

  @Test func `the docs list every diagnostic id exactly once, and no others`() {
    let written = Self.rows.map { String($0.dropFirst().prefix { $0 != "`" }) }
    #expect(Set(written) == Set(DiagnosticID.texts.keys))
    #expect(written.count == Set(written).count)
    #expect(DiagnosticID.allCases.allSatisfy { DiagnosticID.texts[$0.rawValue] != nil })
  }

  @Test func `every diagnostic id is used in the source code`() throws {
    let sources = Checkout.root.appending(path: "Sources").resolvingSymlinksInPath()
    var used: Set<Substring> = []
    for case let file as URL in FileManager.default.enumerator(
      at: sources, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" && !file.path.contains("/Sources/Diagnostics/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      used.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" })
    }
    for id in DiagnosticID.texts.keys {
      // Notices derive their ids from their own names.
      let isNotice = id.hasPrefix("picture-") && used.contains("picture-")
      let name = DiagnosticID.allCases.first { $0.rawValue == id }.map { "\($0)" } ?? id
      #expect(isNotice || used.contains(name[...]) || used.contains(id[...]), "\(id)")
    }
  }

  @Test(arguments: DiagnosticID.texts.keys.sorted())
  func `the docs contain the same texts as the source code`(id: String) throws {
    let text = try #require(DiagnosticID.texts[id])
    #expect(Self.rows.contains("`\(id)`: \(text.meaning)"))
  }

  @Test(arguments: DiagnosticID.texts.keys.sorted())
  func `ids are in kebab case, and texts are full sentences`(id: String) throws {
    let text = try #require(DiagnosticID.texts[id])
    let words = id.split(separator: "-", omittingEmptySubsequences: false)
    #expect(
      words.allSatisfy { !$0.isEmpty && $0.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 } })
    #expect(text.meaning.hasSuffix("."))
    #expect(text.advice?.hasSuffix(".") != false)
  }
}

import SiteSupport

/// The tables of keys in docs/reference, each below a comment such as `<!-- keys: a mask -->`.
struct KeysPageTests {
  private static let folder = Checkout.root.appending(path: "docs/reference")
  private let pages: [String: [String]]
  /// The heading above each table, as a link, by the title of the table.
  private var links: [String: String] = [:]

  init() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    pages = try names.reduce(into: [:]) { pages, name in
      pages[name] = try Checkout.text(of: "docs/reference/\(name)").components(separatedBy: "\n")
    }
    for (name, lines) in pages {
      var heading = ""
      for line in lines {
        if line.hasPrefix("#") { heading = String(line.drop { "# ".contains($0) }) }
        guard let title = title(line) else { continue }
        links[title] =
          name + "#" + heading.lowercased().replacing(" ", with: "-").replacing("'", with: "")
      }
    }
  }

  private func title(_ line: String) -> String? {
    line.hasPrefix("<!-- keys: ") ? String(line.dropFirst(11).dropLast(4)) : nil
  }

  private func rows(_ table: KeyTable, on page: String) -> [String] {
    ["| key | takes | meaning |", "|---|---|---|"]
      + table.entries.map { key in
        var takes = key.takes
        for (title, link) in links {
          takes = takes.replacing(
            "(#\(title.replacing(" ", with: "-")))", with: "(\(link.replacing(page, with: "")))")
        }
        takes += key.requirement == nil ? "" : key.absent == nil ? "; required" : ""
        takes += key.absent.map { "; default\($0.hasPrefix("the ") ? "s to" : "") \($0)" } ?? ""
        return "| `\(key.name)` | \(takes) | \(key.meaning) |"
      }
  }

  /// With `UPDATE_DOCS=1`, the test writes the pages instead, except in CI.
  @Test func `the reference tables match the keys in the source code`() throws {
    let environment = ProcessInfo.processInfo.environment
    let isUpdate = environment["UPDATE_DOCS"] == "1" && environment["CI"] == nil
    let tables = KeyTable.all.filter { $0.title != KeyTable.strings.title }
    #expect(links.keys.sorted() == tables.map(\.title).sorted())
    for (page, lines) in pages {
      var (text, isTable) = ([String](), false)
      for line in lines where !(isTable && line.hasPrefix("|")) {
        text.append(line)
        isTable = title(line) != nil
        for table in tables where table.title == title(line) { text += rows(table, on: page) }
      }
      if isUpdate {
        try text.joined(separator: "\n").write(
          to: Self.folder.appending(path: page), atomically: true, encoding: .utf8)
      } else {
        expect(
          lines.joined(separator: "\n"), equals: text.joined(separator: "\n"),
          "write the tables with UPDATE_DOCS=1 script/test --filter KeysPageTests")
      }
    }
  }

  @Test func `every key documents its meaning and values`() {
    for table in KeyTable.all where table.title != KeyTable.strings.title {
      for key in table.entries {
        #expect(key.meaning.hasSuffix(".") && !key.meaning.contains("|"), "\(key.name)")
        #expect(!key.takes.isEmpty, "\(table.title): \(key.name)")
      }
    }
  }
}

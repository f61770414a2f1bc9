import Mustache
import TestSupport

struct TemplatesTests {
  private static func text(_ file: String) throws -> String {
    try Checkout.text(of: "templates/\(file)")
  }

  @Test func `the templates use only values documented in the readme`() throws {
    let names = try Self.text("README.md").split(separator: "`").flatMap {
      $0.split(separator: ".")
    }
    let words = try JSONDecoder().decode(
      [String: String].self, from: Data(Self.text("words-en.json").utf8))
    let templates = try TemplateSet(
      loading: ["index", "buttons", "tags", "tag", "person-page", "styles", "style"],
      from: { name in
        (try? Self.text("\(name).mustache")).map {
          TemplateSet.File(path: "\(name).mustache", bytes: Array($0.utf8))
        }
      })
    #expect(templates.unknownNames(known: Set(names.map(String.init)).union(words.keys)) == [])
  }
}

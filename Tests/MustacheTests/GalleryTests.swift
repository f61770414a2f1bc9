import Foundation
import Mustache
import TestSupport
import Testing

/// The templates in `templates/`, filled with a page that has everything.
struct GalleryTests {
  static let folder = Checkout.root
    .appending(path: "templates")

  static func text(_ file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  static var words: [String: String] {
    get throws {
      try JSONDecoder().decode([String: String].self, from: Data(text("words-en.json").utf8))
    }
  }

  static func templates() throws -> TemplateSet {
    try TemplateSet(
      loading: ["index", "buttons", "tags", "tag", "person-page", "styles", "style"],
      from: { name in
        (try? text("\(name).mustache")).map {
          TemplateSet.File(path: "\(name).mustache", bytes: Array($0.utf8))
        }
      })
  }

  static func page(
    _ sample: GallerySample = GallerySample(), _ name: String = "index"
  ) throws -> String {
    var output: [UInt8] = []
    guard case .record(var values) = sample.value else { preconditionFailure("a record") }
    values["words"] = .record(Record(try words.map { ($0, .text($1)) }))
    try templates().render(name, with: .record(values), into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Every start tag, whole.
  static func tags(_ html: String, _ name: String = "") -> [Substring] {
    html.split(separator: "<").filter { $0.hasPrefix(name) && $0.first?.isLetter == true }
      .compactMap { $0.split(separator: ">", omittingEmptySubsequences: false).first }
  }

  static func cards(_ html: String) -> [String] {
    html.components(separatedBy: "<li class=\"person\" id").dropFirst().map { card in
      "<li class=\"person\" id" + (card.components(separatedBy: "</li>").first ?? "")
    }
  }

  @Test func `templates use only the values that their readme names`() throws {
    let names = try Self.text("README.md").split(separator: "`").flatMap {
      $0.split(separator: ".")
    }
    let known = Set(names.map(String.init)).union(try Self.words.keys)
    let errors = try Self.templates().unknownNames(known: known)
    #expect(errors == [])
  }

  /// G5: nodes per card are a fixed number, and an avatar is one img in a picture.
  @Test func `a card has few nodes and its avatars no wrappers`() throws {
    var sample = GallerySample()
    sample.people = [
      GallerySample.person(
        "x", "X",
        [
          "role": "t", "link": "https://example.org", "isFailed": true, "reason": "r",
          "tags": ["text": "a, b", "items": [["name": "a", "href": "a.html"], ["name": "b"]]],
        ])
    ]
    let html = try Self.page(sample)
    let card = try #require(Self.cards(html).first)
    let avatars = 2
    #expect(Self.tags(card, "img").count == avatars)
    #expect(Self.tags(card, "picture") == ["picture", "picture"])
    // The card, its name, title, tags and notice, and what they hold.
    #expect(Self.tags(card).count == 8 + avatars * 3)
    #expect(html.components(separatedBy: "</picture>\n<picture>").count == avatars)
  }

  /// B8: a button's background is on the element, which has no child.
  @Test func `a button holds its name and nothing else`() throws {
    let html = try Self.page(GallerySample(root: "../"), "buttons")
    let buttons = html.components(separatedBy: "<button type=\"button\" ").dropFirst()
      .compactMap { $0.components(separatedBy: "</button>").first }
    #expect(
      buttons == [
        "class=\"btn-primary is-light is-normal\">normal",
        "class=\"btn-primary is-light is-disabled\" disabled>disabled",
        "class=\"btn-primary is-light as-image\">picture",
        "class=\"btn-primary is-dark is-normal\">normal",
        "class=\"btn-primary is-dark is-selected\" aria-pressed=\"true\">selected",
        "class=\"btn-primary is-dark as-image\">picture",
      ])
    let row =
      "<code>#fff</code> <span>contrast 4.62</span> <code>is-disabled</code> <span>2x 93 B</span>"
    #expect(html.contains(row))
    #expect(html.contains("<script src=\"../buttons.js\" defer></script>"))
    #expect(Self.tags(html, "img").isEmpty)
  }

  @Test func `every img says its size in whole numbers and has a text`() throws {
    let images = try Self.tags(Self.page(), "img")
    #expect(images.count == 8)
    for image in images {
      #expect(image.contains("width=\"64\" height=\"64\"") || image.contains("width=\"40\" height"))
      #expect(image.contains(" alt=\""))
    }
  }

  @Test func `people without a picture are shown with the reason`() throws {
    let cards = try Self.cards(Self.page())
    #expect(cards.count == 6)
    #expect(cards[2].contains("Plain colour: the picture is broken"))
    #expect(cards[3].contains("Earlier picture: the server does not answer"))
    #expect(cards[5].contains("Failed: the picture is broken"))
    for card in cards[4...] {
      #expect(Self.tags(card, "img").isEmpty)
      #expect(Self.tags(card, "svg").count == 1)
    }
    #expect(!cards[0].contains("notice"))
  }

  @Test func `no page without people or with one page only has empty parts`() throws {
    var output: [UInt8] = []
    let value: Value = [
      "site": ["title": "T", "language": "en"], "root": "", "counts": ["people": 0],
      "words": .record(Record(try Self.words.map { ($0, .text($1)) })),
    ]
    try Self.templates().render("index", with: value, into: &output)
    let html = String(decoding: output, as: UTF8.self)
    #expect(html.contains("Nobody is listed yet.<"))
    for part in [
      "<nav", "Buttons", "buttons/index", "People:", "class=\"people\"", "name=\"description\"",
      "Failed",
    ] {
      #expect(!html.contains(part))
    }
  }

  @Test(arguments: ["index", "buttons"])
  func `every element is closed where it was opened`(name: String) throws {
    var open: [Substring] = []
    for piece in try Self.page(GallerySample(), name).split(separator: "<").dropFirst() {
      let name = piece.dropFirst(piece.hasPrefix("/") ? 1 : 0).prefix { $0.isLetter || $0.isNumber }
      if piece.hasPrefix("/") {
        #expect(open.popLast() == name)
      } else if !["meta", "link", "img", "source", "input", "!"].contains(name),
        !piece.contains("/>")
      {
        open.append(name)
      }
    }
    #expect(open == [])
  }

  @Test func `addresses are relative and nothing is inline`() throws {
    var sample = GallerySample(root: "../../")
    sample.people.removeFirst()
    let html = try Self.page(sample)
    for tag in Self.tags(html) {
      #expect(!tag.contains(" style=") && !tag.contains(" on"), "\(tag)")
      #expect(!tag.hasPrefix("style"))
      if tag.hasPrefix("script") {
        #expect(tag == "script src=\"../../gallery.js\" data-root=\"../../\" defer")
      }
      for name in [" href=\"", " src=\"", " srcset=\""] where tag.contains(name) {
        let address = tag.components(separatedBy: name)[1].prefix { $0 != "\"" }
        #expect(!address.contains(":") && !address.hasPrefix("/") && !address.isEmpty)
      }
    }
    #expect(html.contains(" defer></script>\n"))
    #expect(html.contains("<link rel=\"prev\" href=\"../../index.html\">"))
    #expect(html.contains("href=\"../../page/2/index.html\" aria-label=\"Page 2\" aria-current"))
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='x", "</title><b>",
    "{{#people}}{{>person}}{{/people}}", "<!--", "]]>", "&lt;b&gt;", "a\u{2028}b",
  ])
  func `hostile text adds no tag and no attribute`(text: String) throws {
    func tags(_ text: String) throws -> [Substring] {
      var sample = GallerySample()
      sample.people = [
        GallerySample.person(
          "x", text,
          [
            "role": .text(text), "link": .text("https://example.org/?\(text)"),
            "isFallback": true, "reason": .text(text), "tags": ["text": .text(text)],
          ])
      ]
      return Self.tags(try Self.page(sample))
    }
    let (harmless, hostile) = (try tags("plain"), try tags(text))
    #expect(hostile.count == harmless.count)
    #expect(
      hostile.map { $0.split(separator: "\"", omittingEmptySubsequences: false).count }
        == harmless.map { $0.split(separator: "\"", omittingEmptySubsequences: false).count })
  }
}

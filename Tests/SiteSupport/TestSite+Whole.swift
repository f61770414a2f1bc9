extension TestSite {
  /// A style with all scales for the cards, and a style for other pages.
  private static var wholeStyles: [[String: Any]] {
    [
      ["name": "small", "size": 16, "scales": [1, 2], "formats": ["webp", "png"]],
      [
        "name": "wide", "size": [24, 12], "scales": [1, 3], "shape": "square", "formats": ["png"],
      ],
    ]
  }

  /// Creates a site with every kind of page, using each text for a person, a tag and a button.
  package static func whole(
    words: [String], pages: [String: Any] = [:], more: [String: Any] = [:]
  ) throws -> TestSite {
    let site = try TestSite(manifest: "content/manifest.json")
    let short = words.map { $0.utf8.count > 60 ? "short" : $0 }
    var styles = wholeStyles
    styles[0]["decorations"] = [["name": short[0], "dot": "red", "size": 4]]
    let users = words.enumerated().map { number, word -> [String: Any] in
      var user: [String: Any] = [
        "id": "id\(number)" + short[number], "name": word, "title": word,
        // Each tag has a different number of people, so the tags are ordered like the texts.
        "tags": Array(words[...number].enumerated().map { "\($0)\($1)" }),
        "link": "https://example.org/?q=\(number)&amp=1",
      ]
      // Names link to cards if people have neither a page nor a link.
      if number % 10 == 0 { user["link"] = nil }
      switch number % 5 {
      case 2: user["avatar"] = "missing.png"
      case 3:
        user["avatar"] = "missing.png"
        user["background"] = "red"
      case 4: user["title"] = nil
      default: user["background"] = "#00\(String(10 + number % 80))ff"
      }
      return user
    }
    let manifest: [String: Any] = [
      "version": 1, "site": ["title": words[5 % words.count], "description": words[1]],
      "pages": [
        "size": 10, "people": true, "cards": true, "problems": true, "styles": true,
        "examples": [users[0]["id"] ?? "", users[1]["id"] ?? ""],
      ].merging(pages) { $1 },
      "avatars": styles,
      "buttons": short.enumerated().map {
        ["name": "b\($0)\($1)", "normal": "red", "emit": ["css", "png"], "radius": 2]
      },
      "users": users,
    ]
    let all = manifest.merging(more) { $1 }
    try site.put(
      JSONSerialization.data(withJSONObject: all, options: [.sortedKeys]), at: "manifest.json")
    return site
  }

  package static func whole(
    people: Int = 23, pages: [String: Any] = [:], more: [String: Any] = [:]
  ) throws -> TestSite {
    try whole(words: (0..<people).map { "Sample \($0)" }, pages: pages, more: more)
  }
}

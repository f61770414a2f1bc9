import Bytes
import Manifest
import Mustache
import Plan
import Recipes

/// The metadata for link previews and search engines in a page's head; empty without a site URL.
struct PageHead: Sendable {
  private let address: SiteAddress?
  private var image = Value.absent
  private var card = "summary"

  init(_ people: People) {
    let manifest = people.content.manifest
    address = people.site
    if let address, let (team, asset) = people.content.card {
      let alt =
        team.people.count == 1
        ? manifest.users[team.people[0]].name : "pictures of \(team.people.count) people"
      card = "summary_large_image"
      image = [
        "url": .text(address.of(asset.path)),
        "width": .number(Int(asset.width)),
        "height": .number(Int(asset.height)),
        "type": .text(OutputFormat.png.mimeType),
        "alt": .text("\(manifest.site.title): \(alt)"),
      ]
    }
  }

  func values(for path: String) -> Value {
    [
      "canonical": Value(address?.of(path)),
      "card": Value(address.map { _ in card }),
      "image": image,
    ]
  }

  private static let scriptsFromTheRight: Set<String> = [
    "adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa",
  ]

  /// The right-to-left languages, for language tags that do not specify a script.
  private static let languagesFromTheRight: Set<String> = [
    "ar", "ckb", "dv", "fa", "he", "ks", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
  ]

  static func textDirection(of language: String) -> String? {
    // Ignore the extensions in a language tag, which begin with a single letter.
    let parts = language.lowercased().split(separator: "-").prefix { $0.utf8.count > 1 }
    guard let first = parts.first else { return nil }
    // A four-character subtag that begins with a digit is a variant, not a script.
    let script = parts.dropFirst().first { part in
      part.utf8.count == 4 && part.utf8.allSatisfy(\.isASCIILetter)
    }
    let isFromTheRight =
      script.map { scriptsFromTheRight.contains(String($0)) }
      ?? languagesFromTheRight.contains(String(first))
    return isFromTheRight ? "rtl" : nil
  }
}

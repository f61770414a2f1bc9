import Manifest
import Mustache
import Plan
import Recipes

/// What the head of a page tells other sites and programs; whole addresses, or nothing.
struct GalleryHead: Sendable {
  /// Names that templates can use only here.
  static let vocabulary: Set<String> = ["canonical", "card", "feed", "head", "image", "url"]

  private let address: SiteAddress?
  private let image: Value
  private let hasFeed: Bool

  init(_ content: SiteContent) {
    let address = SiteAddress(content.manifest.site)
    self.address = address
    hasFeed = content.manifest.pages.feed
    if let address, let (picture, asset) = content.card {
      image = [
        "url": .text(address.of(asset.path(as: OutputFormat.png.fileExtension))),
        "width": .number(Int(asset.width)),
        "height": .number(Int(asset.height)),
        "type": .text(OutputFormat.png.mimeType),
        "alt": .text(Self.alt(picture, of: content.manifest)),
      ]
    } else {
      image = .absent
    }
  }

  func values(for path: String) -> Value {
    [
      "canonical": Value(address?.of(path)),
      "card": Value(address.map { _ in image.isAbsent ? "summary" : "summary_large_image" }),
      "image": image,
      "feed": hasFeed ? .text(GalleryPaths.root(of: path) + GalleryPaths.feed) : .absent,
    ]
  }

  private static func alt(_ card: TeamCard, of manifest: Manifest) -> String {
    if card.people.count == 1 {
      return "\(manifest.site.title): \(manifest.users[card.people[0]].name)"
    }
    return "\(manifest.site.title): pictures of \(card.people.count) people"
  }
}

extension Value {
  fileprivate var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension GalleryPages {
  /// What the head of a page has beside its words.
  func head(_ path: String) -> Value { headValues.values(for: path) }
}

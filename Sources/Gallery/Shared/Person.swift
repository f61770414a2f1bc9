import Bytes
import Diagnostics
import Manifest
import Plan
import Recipes

/// All people in manifest order; this is a class, so that 100,000 pages share one copy.
final class People: Sendable {
  let content: SiteContent
  let site: SiteAddress?

  init(_ content: SiteContent) {
    self.content = content
    site = SiteAddress(content.manifest.site)
  }

  var count: Int { content.manifest.users.count }

  subscript(number: Int) -> Person { Person(number, of: self) }
}

struct Person {
  let number: Int
  private let people: People

  fileprivate init(_ number: Int, of people: People) {
    self.number = number
    self.people = people
  }

  var user: User { content.manifest.users[number] }

  private var content: SiteContent { people.content }

  var role: String? {
    // Omit the organisation if the title ends with it, as in "Head of Sales at Inn".
    let isNamed = user.organisation.map { user.title?.hasSuffix(" \($0)") ?? false } ?? false
    let parts = [user.title, isNamed ? nil : user.organisation].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// The person's own link, then the other links, each of them once.
  var profiles: [(address: String, link: ProfileLink)] {
    var listed: Set<Substring> = []
    let links = ([user.link].compactMap(\.self) + user.links).filter { address in
      // Treat `http://www.example.org/` and `https://example.org` as the same link.
      var plain = address[...]
      for start in ["https://", "http://", "www."] where plain.hasPrefix(start) {
        plain.removeFirst(start.count)
      }
      return listed.insert(plain.hasSuffix("/") ? plain.dropLast() : plain).inserted
    }
    return links.map { ($0, ProfileLink($0)) }
  }

  var status: UserStatus { content.status(of: number) }

  /// The diagnostic code that explains why the person's chosen picture is not shown.
  var reasonCode: String? { content.reason(of: number) }

  var reason: String? {
    guard let code = reasonCode else { return nil }
    if code == DiagnosticID.sourceStale.rawValue { return "the current one is unavailable" }
    guard let sentence = DiagnosticID.texts[code]?.meaning else { return "none was specified" }
    return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
  }

  var source: (kind: String, index: Int, digest: Digest)? {
    // Use this user's candidate: another user may get the same bytes from another kind of source.
    guard let source = content.source(of: number), let kind = content.candidate(of: number)
    else { return nil }
    return (kind.names.kind, content.assignments[number].candidate, source.digest)
  }

  var hasPicture: Bool { content.assignments[number].source != nil }

  struct Style {
    let number: Int
    fileprivate let user: Int
    fileprivate let people: People

    var name: String { people.content.manifest.styles[number].name }
    var images: [(scale: Double, asset: Asset)] {
      people.content.images(of: user, style: number)
    }
    /// A preview shown until the picture has loaded; nil if the picture is transparent.
    var placeholder: Placeholder? { slot.flatMap { people.content.placeholder(of: $0) } }
    /// The focus that was found for the crop; nil for styles that do not search for a focus.
    var focus: FoundFocus? { slot.flatMap { people.content.focus(of: $0) } }

    private var slot: SlotID? { people.content.slot(of: user, style: number) }
  }

  func style(_ style: Int) -> Style { Style(number: style, user: number, people: people) }

  var styles: [Style] { hasPicture ? content.styles(of: number).map(style) : [] }

  var shownStyles: [Int] { content.shownStyles(of: number) }

  var placeholder: Placeholder? {
    content.styles(of: number).first.flatMap { style($0).placeholder }
  }

  /// The picture for other programs: the largest in the card's first style, preferably a PNG.
  var portrait: Asset? {
    let order: [OutputFormat] = [.png, .jpeg, .webp, .avif]
    return shownStyles.first.flatMap { style in
      content.images(of: number, style: style).map(\.asset).max { left, right in
        (-(order.firstIndex(of: left.format) ?? order.count), left.width)
          < (-(order.firstIndex(of: right.format) ?? order.count), right.width)
      }
    }
  }

  var anchor: String { GalleryPaths.anchor("person", of: user.id) }

  var page: String? { content.manifest.pages.people ? GalleryPaths.person(user.id) : nil }

  var addressCard: String? { content.manifest.pages.cards ? GalleryPaths.card(user.id) : nil }

  /// The number of the people page that contains the person's card, counted from 1.
  var listPage: Int { number / content.manifest.pages.size + 1 }

  var url: String? {
    people.site.map { site in
      page.map { site.of($0) }
        ?? site.of(GalleryPaths.people(page: listPage), fragment: anchor)
    }
  }

  var portraitURL: String? {
    people.site.flatMap { site in portrait.map { site.of($0.path) } }
  }

  /// A stable, unique URN: a digest of the id as a version 8 UUID (RFC 9562).
  var urn: String {
    var bytes = Array(Digest(of: "sitegen:person:\(user.id)").bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hex.text(of: Array(bytes[$0])) }
    return "urn:uuid:" + groups.joined(separator: "-")
  }
}

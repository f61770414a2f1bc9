import Foundation
import Manifest
import Plan
import Recipes

/// `card.vcf`: a person for address books, as a vCard (version 4.0, RFC 6350).
struct PersonCard {
  private var bytes: [UInt8] = []

  /// Octets of a line, without its end.
  private static let lineLimit = 75

  init(of user: Int, in content: SiteContent) {
    let person = content.manifest.users[user]
    let site = SiteAddress(content.manifest.site)
    add("BEGIN:VCARD")
    add("VERSION:4.0")
    add("KIND:individual")
    add("UID:" + person.urn)
    // `N` may be left out, and only the person knows which part of a name is which.
    add("FN:" + Self.escaped(person.name))
    if let title = person.title, !title.isEmpty { add("TITLE:" + Self.escaped(title)) }
    if let link = person.link {
      if let mailbox = Self.mailbox(of: link) {
        add("EMAIL:" + Self.escaped(mailbox))
      } else {
        add("URL:" + SiteAddress.encoded(link))
      }
    }
    if let site { add("URL:" + content.address(of: user, site)) }
    if let site, let portrait = content.portrait(of: user) {
      add(
        "PHOTO;MEDIATYPE=\(portrait.image.format.mimeType):" + site.of(portrait.path))
    }
    if !person.tags.isEmpty {
      add("CATEGORIES:" + person.tags.map(Self.escaped).joined(separator: ","))
    }
    add("END:VCARD")
  }

  /// The card as a file.
  static func page(of user: Int, in content: SiteContent) -> Site.Page {
    Site.Page(path: GalleryPaths.card(content.manifest.users[user].id)) { emit in
      try emit(PersonCard(of: user, in: content).bytes)
    }
  }

  /// Folds a line: what goes on begins with a space.
  ///
  /// No letter is torn apart.
  private mutating func add(_ line: String) {
    var count = 0
    for scalar in line.unicodeScalars {
      let letter = UTF8.encode(scalar).map(Array.init) ?? []
      if count + letter.count > Self.lineLimit {
        bytes += [0x0D, 0x0A, 0x20]
        count = 1
      }
      bytes += letter
      count += letter.count
    }
    bytes += [0x0D, 0x0A]
  }

  /// Text as a value: what separates values, and the ends of lines, are written with a backslash.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ",", ";": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      case "\r": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The address of a letter to one person; nil for anything else.
  private static func mailbox(of link: String) -> String? {
    let scheme = "mailto:"
    guard link.lowercased().hasPrefix(scheme), !link.contains("?"), !link.contains(","),
      let mailbox = String(link.dropFirst(scheme.count)).removingPercentEncoding,
      mailbox.count(where: { $0 == "@" }) == 1, !mailbox.hasControls(), !mailbox.isBlank
    else { return nil }
    return mailbox
  }
}

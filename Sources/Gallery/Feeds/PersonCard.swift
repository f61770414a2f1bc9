import Bytes
import Manifest
import Plan
import Recipes

/// `card.vcf`: a person's vCard (version 4.0, RFC 6350).
struct PersonCard {
  private(set) var bytes: [UInt8] = []

  /// The maximum number of bytes in a line, without the line ending (RFC 6350, section 3.2).
  private static let lineLimit = 75

  init(of person: Person) {
    let user = person.user
    add("BEGIN:VCARD")
    add("VERSION:4.0")
    add("KIND:individual")
    add("UID:" + person.urn)
    // `N` is omitted: it is optional, and sitegen does not know which part is the family name.
    add("FN:" + Self.escaped(user.name))
    if let title = user.title, !title.isEmpty { add("TITLE:" + Self.escaped(title)) }
    if let organisation = user.organisation { add("ORG:" + Self.escaped(organisation)) }
    if let about = user.about { add("NOTE:" + Self.escaped(about)) }
    for (link, _) in person.profiles {
      if let mailbox = Self.mailbox(of: link) {
        add("EMAIL:" + Self.escaped(mailbox))
      } else {
        add("URL:" + SiteAddress.encoded(link))
      }
    }
    if let url = person.url { add("URL:" + url) }
    if let url = person.portraitURL, let portrait = person.portrait {
      add("PHOTO;MEDIATYPE=\(portrait.format.mimeType):" + url)
    }
    if !user.tags.isEmpty {
      add("CATEGORIES:" + user.tags.map(Self.escaped).joined(separator: ","))
    }
    add("END:VCARD")
  }

  /// Adds a line, folded between characters if it is long; each continuation begins with a space.
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

  /// Returns the address in a `mailto:` link with exactly one recipient; nil for any other link.
  private static func mailbox(of link: String) -> String? {
    let scheme = "mailto:"
    guard link.lowercased().hasPrefix(scheme), !link.contains("?"), !link.contains(","),
      let bytes = Percent.decoded(link.utf8.dropFirst(scheme.utf8.count)),
      let mailbox = String(validating: bytes, as: UTF8.self),
      mailbox.count(where: { $0 == "@" }) == 1, !mailbox.hasControls(), !mailbox.isBlank
    else { return nil }
    return mailbox
  }
}

package import Bytes
package import Diagnostics
package import Foundation
package import Recipes

/// One way to get a person's picture, and where the manifest says so.
package struct AvatarSource: Hashable, Sendable {
  ///
  /// What is rare is kept apart: there may be a million of these.
  package enum Kind: Hashable, Sendable {
    /// A path as written, relative to the manifest's folder.
    case file(SourcePath)
    case color(Color)
    indirect case initials(Monogram)
    /// The pattern of an id.
    case identicon(String)
    /// Somewhere on the network.
    indirect case remote(RemoteAddress)
    /// A picture that stands in the manifest itself.
    indirect case inline(InlinePicture)
    /// An address of which we know without asking that it leads nowhere.
    indirect case faulty(Rejection)
  }

  package var kind: Kind
  package var position: Position
  /// Its number in the manifest's `fallback`; nil for what the user names.
  package var fallback: Int16?

  package init(_ kind: Kind, at position: Position, fallback: Int16? = nil) {
    self.kind = kind
    self.position = position
    self.fallback = fallback
  }

  func with(_ kind: Kind) -> AvatarSource { AvatarSource(kind, at: position, fallback: fallback) }
}

/// The path of a picture, compared by its bytes: `é` in two spellings is one `String` and two files.
package struct SourcePath: Hashable, Sendable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// The bytes of a `data:` address, equal when they have the same digest.
package struct InlinePicture: Hashable, Sendable {
  package let digest: Digest
  package let bytes: Data

  package init(_ bytes: Data) {
    digest = Digest(of: bytes)
    self.bytes = bytes
  }

  package static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

// MARK: - In words

extension AvatarSource.Kind {
  /// What `assets.json` calls the kind, and what messages call the source.
  package var names: (kind: String, source: String) {
    switch self {
    case .file(let path): ("file", path.text)
    case .color(let color): ("color", "color:\(color.hex)")
    case .initials: ("initials", "initials")
    case .identicon: ("identicon", "an identicon")
    case .remote(let address): (address.kindName, address.spelling)
    case .inline: ("data", "a data: address")
    case .faulty: ("address", "an address")
    }
  }
}

// MARK: - Parsing

/// A source as a manifest names it; some pictures are drawn from the words of the person.
enum NamedSource {
  case initials
  case identicon
  case complete(AvatarSource.Kind)

  /// Nil for a `color:` without a valid colour.
  init?(_ text: String) {
    switch text {
    case "initials": self = .initials
    case "identicon": self = .identicon
    default:
      guard let kind = AvatarSource.Kind(source: text) else { return nil }
      self = .complete(kind)
    }
  }

  /// The address that a relative one means in a document at `base`; anything else as it is.
  static func resolved(_ text: String, in base: String) -> String {
    guard !text.prefix(while: { $0 != "/" }).contains(":"),
      case .complete(.file)? = NamedSource(text)
    else { return text }
    let escaped = Percent.encoded(text.utf8, keepingEscapes: true) {
      $0 > 0x20 && $0 < 0x7F && !"%\"<>\\^`{|}".utf8.contains($0)
    }
    return URL(string: escaped, relativeTo: URL(string: base))?.absoluteString ?? text
  }

  /// Whether a list on the network may name it: nothing of this machine, and nothing less safe than
  /// the list itself.
  func mayStand(inListAt base: String) -> Bool {
    switch self {
    case .complete(.file): false
    case .complete(.remote(.url(let url))): url.hasPrefix("https:") || base.hasPrefix("http:")
    default: true
    }
  }

  /// The same for a person with this name, id and background.
  func kind(name: String, id: String, background: Color?) -> AvatarSource.Kind {
    switch self {
    case .initials: .initials(Monogram(name: name, id: id, ground: background))
    case .identicon: .identicon(id)
    case .complete(let kind): kind
    }
  }
}

extension AvatarSource.Kind {
  /// What a source in a manifest means, except for pictures drawn from a person's words; nil for a
  /// `color:` without a valid colour.
  ///
  /// A text of no known kind is the name of a file, also with an unknown scheme.
  package init?(source: String) {
    if Self.isMailAddress(source) {
      self = .faulty(Rejection(.badAddress, "a mail address needs `gravatar:` before it"))
      return
    }
    // A scheme is short: only the beginning of a long path is looked at.
    guard let colon = source.utf8.prefix(12).firstIndex(of: UInt8(ascii: ":")) else {
      self = .file(SourcePath(source))
      return
    }
    let scheme = source[..<colon].lowercased()
    let rest = String(source[source.utf8.index(after: colon)...])
    let isWeb = rest.utf8.starts(with: "//".utf8)
    switch scheme {
    case "color":
      guard let color = Color(parsing: rest) else { return nil }
      self = .color(color)
    case "data":
      self.init(DataAddress.decode(rest).map { .inline(InlinePicture($0)) })
    case "http" where isWeb, "https" where isWeb:
      self.init(WebURL.normalize(scheme: scheme, rest: rest).map { .remote(.url($0)) })
    default:
      guard let service = RemoteAddress.Service(rawValue: scheme) else {
        self = .file(SourcePath(source))
        return
      }
      self.init(service.address(rest).map { .remote($0) })
    }
  }

  private init(_ result: Result<Self, Rejection>) {
    switch result {
    case .success(let kind): self = kind
    case .failure(let rejection): self = .faulty(rejection)
    }
  }

  /// A mail address alone, or behind a word that is no scheme of ours: as the name of a file it would
  /// be in messages.
  private static func isMailAddress(_ source: String) -> Bool {
    guard source.utf8.count < 512, let at = source.utf8.lastIndex(of: UInt8(ascii: "@")),
      at != source.startIndex, !source.utf8.contains(UInt8(ascii: "/"))
    else { return false }
    let schemes = ["data:", "color:"] + RemoteAddress.Service.allCases.map { "\($0.rawValue):" }
    let lower = source.prefix(12).lowercased()
    guard !schemes.contains(where: lower.hasPrefix) else { return false }
    let domain = source[at...].dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    // `me@2x.png` is a picture at twice its size.
    return domain.count > 1 && domain.allSatisfy { !$0.isEmpty }
      && !Inspection.Format.endings.contains(domain.last?.lowercased() ?? "")
  }
}

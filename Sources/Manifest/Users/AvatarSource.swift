package import Bytes
package import Diagnostics
package import Foundation
package import Recipes

/// One way to get a person's picture, and where the manifest says so.
package struct AvatarSource: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A path as written, relative to the manifest's folder.
    case file(SourcePath)
    case color(Color)
    case initials
    case identicon
    indirect case remote(RemoteAddress)
    /// A picture in the manifest itself.
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
}

/// What a picture is looked up by: a source as written and, if it is drawn, the words of the person.
///
/// Equal keys are gathered once.
package struct SourceKey: Hashable, Sendable {
  package let source: AvatarSource.Kind
  /// The letters of initials, nil if neither name nor id has any; the id of an identicon.
  package let text: String?
  /// Behind initials.
  package let background: Color?

  /// The id gives initials their background if none is named, and the letter if the name has none.
  package init(
    _ source: AvatarSource.Kind, name: String = "", id: String = "", background: Color? = nil
  ) {
    self.source = source
    switch source {
    case .initials:
      text = Initialism.letters(of: name) ?? Initialism.letter(of: id)
      self.background = background ?? Palette.color(of: id)
    case .identicon: (text, self.background) = (id, nil)
    default: (text, self.background) = (nil, nil)
    }
  }
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

extension AvatarSource.Kind {
  /// What a source in a manifest means; nil for a `color:` without a valid colour.
  ///
  /// All other text is the name of a file, which may have a colon in it.
  package init?(source: String) {
    if source == "initials" || source == "identicon" {
      self = source == "initials" ? .initials : .identicon
      return
    }
    // As the name of a file it would be in messages, also behind a word that is not one of our schemes.
    let file =
      source.utf8.count < 512 && source.filter { $0 != " " }.isMailAddress
      ? Self.faulty(Rejection(.badAddress, "a mail address needs `gravatar:` before it"))
      : .file(SourcePath(source))
    // A scheme is short: only the beginning of a long path is looked at.
    guard let colon = source.utf8.prefix(12).firstIndex(of: UInt8(ascii: ":")) else {
      self = file
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
        self =
          Self.unknownScheme(scheme, isWeb: isWeb).map { .faulty(Rejection(.badAddress, $0)) }
          ?? file
        return
      }
      self.init(service.address(rest).map { .remote($0) })
    }
  }

  private static let schemes =
    ["https", "http", "color", "data"] + RemoteAddress.Service.allCases.map(\.rawValue)

  /// What is wrong with an address such as `ftp://…` or `gihub:ada`; nil for a file.
  private static func unknownScheme(_ scheme: String, isWeb: Bool) -> String? {
    guard scheme.isWord, !schemes.contains(scheme) else { return nil }
    let near = nearest(to: scheme, among: schemes)
    guard near != nil || isWeb else { return nil }
    let known = schemes.map { "`\($0):`" }.joined(separator: ", ")
    return "the scheme `\(scheme):` is not known; "
      + (near.map { "did you mean `\($0):`?" } ?? "known names are \(known)")
  }

  /// The address that a relative one means in a document at `base`; anything else as it is.
  static func resolved(_ text: String, in base: String) -> String {
    guard !text.prefix(while: { $0 != "/" }).contains(":"), case .file? = Self(source: text)
    else { return text }
    let escaped = Percent.encoded(text.utf8, keepingEscapes: true) {
      $0 > 0x20 && $0 < 0x7F && !"%\"<>\\^`{|}".utf8.contains($0)
    }
    return URL(string: escaped, relativeTo: URL(string: base))?.absoluteString ?? text
  }

  /// Whether a list on the network may name it: nothing of this machine, and nothing less safe than
  /// the list itself.
  func isAllowed(inListAt base: String) -> Bool {
    switch self {
    case .file, .faulty: false
    case .remote(.url(let url)): url.hasPrefix("https:") || base.hasPrefix("http:")
    default: true
    }
  }

  private init(_ result: Result<Self, Rejection>) {
    switch result {
    case .success(let kind): self = kind
    case .failure(let rejection): self = .faulty(rejection)
    }
  }
}

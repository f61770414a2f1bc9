package import Bytes
package import Diagnostics
package import Foundation
package import Recipes

package struct AvatarSource: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file(SourcePath)
    case color(Color)
    case initials
    case identicon
    indirect case remote(RemoteAddress)
    indirect case inline(InlinePicture)
    indirect case faulty(Rejection)
  }

  package var kind: Kind
  package var position: Position
  /// The source's index in the manifest's `fallback`; nil for the user's own sources.
  package var fallback: Int16?

  package init(_ kind: Kind, at position: Position, fallback: Int16? = nil) {
    self.kind = kind
    self.position = position
    self.fallback = fallback
  }
}

/// The lookup key of a source: the source and, for drawn pictures, the person's initials or id.
package struct SourceKey: Hashable, Sendable {
  package let source: AvatarSource.Kind
  /// The id for an identicon, or the initials; nil for other sources or unsuitable names and ids.
  package let text: String?
  package let background: Color?

  /// Creates the key; missing initials and a missing background are derived from the id.
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

/// A picture's path, compared by bytes: two encodings of `é` are equal strings but different files.
package struct SourcePath: Hashable, Sendable, ExpressibleByStringLiteral {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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

extension AvatarSource.Kind {
  /// The kind's name in `assets.json`, and the source's name in messages.
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

  package static let words = ["initials", "identicon"]

  /// Parses a source in a manifest; returns nil for `color:` with an invalid colour.
  ///
  /// Text that does not look like a URL is a file name, even if it contains a colon.
  package init?(source: String) {
    if source == "initials" || source == "identicon" {
      self = source == "initials" ? .initials : .identicon
      return
    }
    // Reject an email address, because as a file name it would appear in messages.
    let file =
      source.utf8.count < 512 && source.filter { $0 != " " }.isMailAddress
      ? Self.faulty(Rejection(.badAddress, "an email address needs `gravatar:` before it"))
      : .file(SourcePath(source))
    // Schemes are short, so only the beginning of a long path is searched.
    guard let colon = source.utf8.prefix(12).firstIndex(of: UInt8(ascii: ":")) else {
      self = file
      return
    }
    let scheme = source[..<colon].lowercased()
    let rest = String(source[source.utf8.index(after: colon)...])
    let isWeb = rest.utf8.starts(with: "//".utf8)
    do throws(Rejection) {
      switch scheme {
      case "color":
        guard let color = Color(parsing: rest) else { return nil }
        self = .color(color)
      case "data": self = .inline(InlinePicture(try DataAddress.decode(rest).get()))
      case "http" where isWeb, "https" where isWeb:
        self = .remote(.url(try WebURL.normalize(scheme: scheme, rest: rest)))
      default:
        if let service = AvatarService(rawValue: scheme) {
          self = .remote(try service.address(rest))
        } else if let problem = Self.unknownScheme(scheme, isWeb: isWeb) {
          throw Rejection(.badAddress, problem)
        } else {
          self = file
        }
      }
    } catch {
      self = .faulty(error)
    }
  }

  private static let schemes =
    ["https", "http", "color", "data"] + AvatarService.allCases.map(\.rawValue)

  /// Returns the error for an unknown scheme such as `ftp://…` or `gihub:ada`, or nil for a file.
  private static func unknownScheme(_ scheme: String, isWeb: Bool) -> String? {
    guard scheme.isWord, !schemes.contains(scheme) else { return nil }
    let near = nearest(to: scheme, among: schemes)
    guard near != nil || isWeb else { return nil }
    let known = schemes.map { "`\($0):`" }.joined(separator: ", ")
    return "the scheme `\(scheme):` is unknown; "
      + (near.map { "did you mean `\($0):`?" } ?? "known schemes are \(known)")
  }

  /// Resolves a relative URL in a document at `base`, and leaves other text unchanged.
  static func resolved(_ text: String, in base: String) -> String {
    guard !text.prefix(while: { $0 != "/" }).contains(":"), case .file? = Self(source: text)
    else { return text }
    let escaped = Percent.encoded(text.utf8, keepingEscapes: true) {
      $0 > 0x20 && $0 < 0x7F && !"%\"<>\\^`{|}".utf8.contains($0)
    }
    return URL(string: escaped, relativeTo: URL(string: base))?.absoluteString ?? text
  }

  /// Returns whether a remote list may use this source: not a local file, or HTTP in an HTTPS list.
  func isAllowed(inListAt base: String) -> Bool {
    switch self {
    case .file, .faulty: false
    case .remote(.url(let url)): url.hasPrefix("https:") || base.hasPrefix("http:")
    default: true
    }
  }
}

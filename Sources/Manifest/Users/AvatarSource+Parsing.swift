import Fetch
import Recipes

extension AvatarSource.Kind {
  /// What a source in a manifest means; nil is a `color:` without a valid colour.
  ///
  /// What `initials` and `identicon` are made of is filled in later, when the person is known.
  /// Whatever is none of the known kinds is the name of a file, unknown schemes included.
  package init?(source: String) {
    switch source {
    case "initials":
      self = .initials(nil)
      return
    case "identicon":
      self = .identicon("")
      return
    default: break
    }
    if Self.isMailAddress(source) {
      self = .faulty(FetchFailure(.badAddress, "a mail address needs `gravatar:` before it"))
      return
    }
    // A scheme is short: only the beginning of a long path is looked at.
    guard let colon = source.utf8.prefix(12).firstIndex(of: UInt8(ascii: ":")) else {
      self = .file(source)
      return
    }
    let rest = source[source.utf8.index(after: colon)...]
    switch source[..<colon].lowercased() {
    case "color":
      guard let color = Color(parsing: String(rest)) else { return nil }
      self = .color(color)
    case "gravatar", "libravatar", "github":
      self.init(remote: source[..<colon].lowercased(), String(rest))
    case "http" where rest.utf8.starts(with: "//".utf8),
      "https" where rest.utf8.starts(with: "//".utf8):
      self.init(remote: source[..<colon].lowercased(), String(rest))
    case "data":
      self =
        switch DataAddress.decode(String(rest)) {
        case .success(let bytes): .inline(InlinePicture(bytes))
        case .failure(let failure): .faulty(failure)
        }
    default: self = .file(source)
    }
  }

  /// A mail address alone, or behind a word that is no scheme of ours: as the name of a file it would
  /// be in messages.
  private static func isMailAddress(_ source: String) -> Bool {
    guard source.utf8.count < 512, let at = source.utf8.lastIndex(of: UInt8(ascii: "@")),
      at != source.startIndex, !source.utf8.contains(UInt8(ascii: "/"))
    else { return false }
    let schemes = ["gravatar:", "libravatar:", "github:", "data:", "color:"]
    let lower = source.prefix(12).lowercased()
    guard !schemes.contains(where: lower.hasPrefix) else { return false }
    let domain = source[at...].dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    // `me@2x.png` is a picture at twice its size.
    let pictures = ["png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "svg"]
    return domain.count > 1 && domain.allSatisfy { !$0.isEmpty }
      && !pictures.contains(domain.last?.lowercased() ?? "")
  }

  private init(remote scheme: String, _ rest: String) {
    self =
      switch RemoteAddress.parse(scheme: scheme, rest: rest) {
      case .success(let address): .remote(address)
      case .failure(let failure): .faulty(failure)
      }
  }
}

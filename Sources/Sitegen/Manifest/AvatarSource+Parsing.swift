import Imaging

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
    case "gravatar": self = .unsupported("gravatar")
    case "libravatar": self = .unsupported("libravatar")
    case "github": self = .unsupported("github")
    case "data": self = .unsupported("data")
    case "http" where rest.utf8.starts(with: "//".utf8): self = .unsupported("http")
    case "https" where rest.utf8.starts(with: "//".utf8): self = .unsupported("https")
    default: self = .file(source)
    }
  }
}

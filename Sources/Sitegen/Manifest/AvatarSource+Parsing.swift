import Fetch
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

  private init(remote scheme: String, _ rest: String) {
    self =
      switch RemoteAddress.parse(scheme: scheme, rest: rest) {
      case .success(let address): .remote(address)
      case .failure(let failure): .faulty(failure)
      }
  }
}

import Bytes
import Plan

/// Finds the links in a site's files. HTML is parsed as in a browser, because templates may be
/// custom. Links to other sites or to files outside the folder are ignored.
extension FileLinks {
  static func reader(of path: String) -> (@Sendable ([UInt8]) -> FileLinks)? {
    switch path.split(separator: ".").last {
    case "html", "svg": { FileLinks(markup: $0, at: path) }
    case "css": { FileLinks(style: $0[...], at: path) }
    case "js", "json": { FileLinks(data: $0) }
    default: nil
    }
  }

  private init(markup bytes: [UInt8], at page: String) {
    self.init()
    var rest = bytes[...]
    while rest.take(to: "<") {
      if rest.starts(with: "!--".utf8) {
        guard rest.take(to: "-->") else { return }
      }
      let name = rest.prefix(while: \.isASCIILetterOrDigit)
      rest = rest[name.endIndex...]
      guard !name.isEmpty else { continue }
      while let (key, value) = rest.takeAttribute() {
        switch String(decoding: key.map(\.asciiLowercased), as: UTF8.self) {
        case "href", "src", "poster", "xlink:href": add(value.resolvingReferences[...], at: page)
        case "srcset", "imagesrcset": add(candidates: value.resolvingReferences, at: page)
        case "style": self.add(style: value.resolvingReferences[...], at: page)
        case "name" where !"aA".utf8.contains(name.first ?? 0) || name.count > 1: break
        case "id", "name":
          anchors.insert(String(decoding: value.resolvingReferences, as: UTF8.self))
        default: break
        }
      }
      // `script` and `style` elements contain only text, so skip to their end.
      let element = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
      if element == "script" || element == "style", !rest.take(to: "</\(element)") { return }
    }
  }

  private init(style: ArraySlice<UInt8>, at page: String) {
    self.init()
    add(style: style, at: page)
  }

  /// Finds the paths of pictures in a data file, where they may be part of absolute URLs.
  private init(data bytes: [UInt8]) {
    self.init()
    var rest = bytes[...]
    while rest.take(to: "assets/") {
      let name = rest.prefix { $0.isASCIILetterOrDigit || "/.".utf8.contains($0) }
      let path = "assets/" + String(decoding: name, as: UTF8.self)
      if Digest(assetPath: path) != nil { links.insert(Link(path: path)) }
    }
  }

  private mutating func add(style: ArraySlice<UInt8>, at page: String) {
    var rest = style
    while rest.take(to: "url(") {
      let address = rest.prefix { $0 != UInt8(ascii: ")") }
      add(address.trimmed { $0.isASCIISpace || $0.isQuote }, at: page)
    }
  }

  /// Parses a `srcset` such as `a.png 1x, b.png 2x`; a URL ends at a space and may contain commas.
  private mutating func add(candidates: [UInt8], at page: String) {
    let comma = UInt8(ascii: ",")
    var isAddress = true
    for word in candidates.split(whereSeparator: \.isASCIISpace) {
      if isAddress { add(word.trimmed { $0 == comma }, at: page) }
      isAddress = word.last == comma
    }
  }

  private mutating func add(_ address: ArraySlice<UInt8>, at page: String) {
    let address = address.trimmed(while: \.isASCIISpace)
    let path = address.prefix { !"?#".utf8.contains($0) }
    let slash = UInt8(ascii: "/")
    guard path.first != slash,
      !path.prefix(while: { $0 != slash }).contains(UInt8(ascii: ":"))
    else { return }
    var names = page.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
    if !path.isEmpty {
      names.removeLast()
      let parts = path.split(separator: slash, omittingEmptySubsequences: false)
        .map { String(decoding: Percent.decoded($0) ?? Array($0), as: UTF8.self) }
      for part in parts where part != "" && part != "." {
        if part != ".." {
          names.append(part)
        } else if names.popLast() == nil {
          return
        }
      }
      // A link to a folder resolves to its `index.html`.
      if ["", ".", ".."].contains(parts.last) { names.append("index.html") }
    }
    let last = address.drop { $0 != UInt8(ascii: "#") }.dropFirst()
    let fragment = String(decoding: Percent.decoded(last) ?? Array(last), as: UTF8.self)
    // `:~:` begins a text fragment, which is not part of the anchor.
    let place = fragment.ranges(of: ":~:").first.map { String(fragment[..<$0.lowerBound]) }
    // `#top` exists on every page.
    let isPlace = !["", "top"].contains(place ?? fragment)
    links.insert(
      Link(path: names.joined(separator: "/"), fragment: isPlace ? place ?? fragment : nil))
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}

extension ArraySlice<UInt8> {
  /// Advances past the next occurrence of a text; returns false if the text is not found.
  fileprivate mutating func take(to text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    while let start = firstIndex(of: first) {
      self = self[start...]
      if starts(with: text.utf8) {
        self = dropFirst(text.utf8.count)
        return true
      }
      self = dropFirst()
    }
    return false
  }

  /// Consumes the next attribute of a tag; at the tag's end, consumes the `>` and returns nil.
  fileprivate mutating func takeAttribute() -> (key: ArraySlice, value: ArraySlice)? {
    self = drop { $0.isASCIISpace || $0 == UInt8(ascii: "/") }
    guard let first, first != UInt8(ascii: ">") else {
      self = dropFirst()
      return nil
    }
    let key = self[
      ..<(dropFirst().firstIndex { $0.isASCIISpace || "=>/".utf8.contains($0) } ?? endIndex)]
    self = self[key.endIndex...]
    let next = drop(while: \.isASCIISpace)
    guard next.first == UInt8(ascii: "=") else { return (key, []) }
    self = next.dropFirst().drop(while: \.isASCIISpace)
    if let quote = self.first, quote.isQuote {
      let value = dropFirst().prefix { $0 != quote }
      self = self[value.endIndex...].dropFirst()
      return (key, value)
    }
    let value = prefix { !$0.isASCIISpace && $0 != UInt8(ascii: ">") }
    self = self[value.endIndex...]
    return (key, value)
  }

  /// The bytes with references resolved: numeric ones, and the named ones that `Markup` writes.
  fileprivate var resolvingReferences: [UInt8] {
    guard contains(UInt8(ascii: "&")) else { return Array(self) }
    let names = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    let text = String(decoding: self, as: UTF8.self)
      .replacing(/&#([xX]?)([0-9a-fA-F]{1,6});/) { match in
        UInt32(match.2, radix: match.1.isEmpty ? 10 : 16).flatMap(Unicode.Scalar.init)
          .map { String($0) } ?? String(match.0)
      }
    let resolved = names.reduce(text) { $0.replacing($1.0, with: $1.1) }
    return Array(resolved.utf8)
  }
}

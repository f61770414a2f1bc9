/// A parsed page: tags, attributes and text, with decoded entities.
///
/// Like a browser, the parser accepts anything that could be an element, attribute or comment.
package struct HTMLPage {
  package struct Tag: Hashable {
    package var name: String
    /// The attributes in document order, with lowercase names.
    package var attributes: [Attribute]

    package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  package struct Attribute: Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package enum Part: Hashable {
    case open(Tag)
    case close(String)
    case text(String)
    case comment(String)
  }

  package private(set) var parts: [Part] = []

  package init(_ source: String) {
    var scanner = Scanner(source)
    while let part = scanner.next() { parts.append(part) }
  }

  package var tags: [Tag] { parts.compactMap { if case .open(let tag) = $0 { tag } else { nil } } }

  package func tags(_ name: String) -> [Tag] { tags.filter { $0.name == name } }

  package var texts: [String] {
    parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The page's structure: the names of its tags and attributes.
  package var skeleton: [String] {
    parts.compactMap { part in
      switch part {
      case .open(let tag): "<\(tag.name) \(tag.attributes.map(\.name).joined(separator: " "))>"
      case .close(let name): "</\(name)>"
      case .comment: "<!-->"
      case .text: nil
      }
    }
  }

  /// The text of the first element with this name after the matching tag.
  package func text(in name: String, after isStart: (Tag) -> Bool) -> String? {
    var started = false
    var text: String?
    for part in parts {
      switch part {
      case .open(let tag):
        if isStart(tag) { started = true }
        if started, tag.name == name, text == nil { text = "" }
      case .text(let part): text? += part
      case .close(let closed): if closed == name, text != nil { return text }
      case .comment: break
      }
    }
    return text
  }
}

/// Scans Unicode scalars, because a combining mark must not hide a quote.
private struct Scanner {
  private let source: [Unicode.Scalar]
  private var offset = 0

  init(_ source: String) { self.source = Array(source.unicodeScalars) }

  mutating func next() -> HTMLPage.Part? {
    guard let scalar = peek() else { return nil }
    if scalar == "<", let after = peek(1) {
      if after == "!" || after == "?" { return comment() }
      if after == "/" { return close() }
      if after.properties.isAlphabetic { return .open(tag()) }
    }
    var text = take()
    while let scalar = peek(), scalar != "<" { text += take(scalar) }
    return .text(Self.resolved(text))
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < source.count ? source[offset + distance] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar? = nil) -> String {
    let taken = source[offset]
    offset += 1
    return String(taken)
  }

  private mutating func take(until isEnd: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    while let scalar = peek(), !isEnd(scalar) { text += take() }
    return text
  }

  private mutating func comment() -> HTMLPage.Part {
    let isComment = peek(2) == "-" && peek(3) == "-"
    var text = ""
    while peek() != nil {
      text += take()
      if text.hasSuffix(isComment ? "-->" : ">") { break }
    }
    return .comment(text)
  }

  private mutating func close() -> HTMLPage.Part {
    offset += 2
    let name = take { $0 == ">" }
    if peek() != nil { offset += 1 }
    return .close(name.lowercased())
  }

  private mutating func tag() -> HTMLPage.Tag {
    offset += 1
    let name = take { $0.properties.isWhitespace || $0 == ">" || $0 == "/" }
    var attributes: [HTMLPage.Attribute] = []
    while true {
      _ = take { !$0.properties.isWhitespace && $0 != "/" }
      guard let scalar = peek() else { break }
      if scalar == ">" {
        offset += 1
        break
      }
      attributes.append(attribute())
    }
    return HTMLPage.Tag(name: name.lowercased(), attributes: attributes)
  }

  private mutating func attribute() -> HTMLPage.Attribute {
    var name = take()
    name += take { $0.properties.isWhitespace || $0 == "=" || $0 == ">" || $0 == "/" }
    guard peek() == "=" else { return HTMLPage.Attribute(name: name.lowercased(), value: "") }
    offset += 1
    let value: String
    if let quote = peek(), quote == "\"" || quote == "'" {
      offset += 1
      value = take { $0 == quote }
      if peek() != nil { offset += 1 }
    } else {
      value = take { $0.properties.isWhitespace || $0 == ">" }
    }
    return HTMLPage.Attribute(name: name.lowercased(), value: Self.resolved(value))
  }

  private static func resolved(_ text: String) -> String {
    var resolved = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      resolved += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";"), let scalar = entity(rest[start..<end].dropFirst())
      else {
        resolved.append("&")
        rest = rest.dropFirst()
        continue
      }
      resolved.unicodeScalars.append(scalar)
      rest = rest[rest.index(after: end)...]
    }
    return resolved + rest
  }

  private static func entity(_ name: Substring) -> Unicode.Scalar? {
    let named: [Substring: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    return named[name]
  }
}

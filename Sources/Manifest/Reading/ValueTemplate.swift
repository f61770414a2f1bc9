import Bytes
import Diagnostics
import Foundation

/// Text with placeholders such as `{social.github}` or, with a filter, `{name | slug}`.
struct ValueTemplate: Hashable {
  private enum Piece: Hashable {
    case text(String)
    case value(ValuePath, filters: [String])
  }

  private var pieces: [Piece] = []

  init(_ text: String) throws(ManifestReader.Refusal) {
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw ManifestReader.Refusal("a { is never closed", help: "write placeholders as {name}")
      }
      pieces.append(try Self.place(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
  }

  var paths: [ValuePath] {
    pieces.compactMap { piece in
      guard case .value(let path, _) = piece else { return nil }
      return path
    }
  }

  /// Returns the text with values inserted, or nil if a value without a default is missing.
  ///
  /// In URLs, each value is escaped, so that it stays within one path segment or query value.
  func text(_ value: (ValuePath) -> String?) -> String? {
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .value(let path, let filters):
        var text = value(path) ?? ""
        for filter in filters {
          switch filter {
          case "file": text = text.split { "/\\".contains($0) }.last.map(String.init) ?? ""
          case "lower": text = text.lowercased()
          case "slug": text = Slug.of(text)
          default: if text.isEmpty { text = String(filter.dropFirst(Self.fallback.count)) }
          }
        }
        // A value must not escape the template's folder.
        if text.isEmpty || text.split(separator: "/").contains("..") { return nil }
        result += isAddress ? Percent.encoded(text.utf8, where: Percent.isUnreserved) : text
      }
    }
    return result
  }

  private var isAddress: Bool {
    guard case .text(let text)? = pieces.first else { return false }
    return text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  private static func place(_ text: Substring) throws(ManifestReader.Refusal) -> Piece {
    var words = text.split(separator: "|", omittingEmptySubsequences: false)
      .map { String($0.trimmingBlanks) }
    let path = words.removeFirst()
    guard !path.isEmpty else {
      throw ManifestReader.Refusal(
        "there is nothing between { and }", help: "write placeholders as {name}")
    }
    for word in words where !["file", "lower", "slug"].contains(word) {
      guard word.hasPrefix(fallback) else {
        throw ManifestReader.Refusal(
          "\(word.quoted) is not a filter", help: "use file, lower, slug or default TEXT")
      }
    }
    return .value(ValuePath(path), filters: words)
  }

  private static let fallback = "default "
}

/// The path to a value in a record: `name`, `social.github`, `photos.0`.
struct ValuePath: Hashable {
  let text: String
  let names: [String]
  var whole: String { names.joined(separator: ".") }

  var columns: [String] { names.count > 1 ? [names[0], whole] : names }

  init(_ text: String) {
    self.text = text
    names = text.split(separator: ".").map { Self.plain(String($0)) }
  }

  /// Normalizes a name, so that `Full name:`, `full_name` and `fullName` match.
  static func plain(_ name: String) -> String {
    if name.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains) { return name }
    let letters = Folding.folded(name.replacing("#", with: "number")).unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "."
    }
    return letters.isEmpty ? name : String(String.UnicodeScalarView(letters))
  }
}

enum Slug {
  /// Returns a slug, such as `zoe-muller-lukasz` for `Zoë Müller-Łukasz`; it may be empty.
  static func of(_ text: String) -> String {
    Folding.folded(text).utf8.split { !($0.isASCIILetterOrDigit) }
      .map { String($0) ?? "" }.joined(separator: "-")
  }
}

struct Transliteration {
  /// Results are cached, because ICU takes up to 0.6 ms to parse its rules for each text.
  private var known: [Character: String] = [:]

  mutating func latin(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { character in
      if let latin = known[character] { return latin }
      let latin = String(character).applyingTransform(.toLatin, reverse: false) ?? ""
      let isWord = character.unicodeScalars.contains(where: \.properties.isIdeographic)
      known[character] = isWord ? " \(latin) " : latin
      return known[character, default: ""]
    }.joined()
  }
}

import SiteSupport

/// The structure of output files, independent of their texts.
struct OutputShape {
  /// The shapes of files by type, in an order that does not depend on the texts.
  private(set) var shapes: [String: [String]] = [:]
  /// All texts in JSON, data, XML and vCard files by file type, including keys.
  private(set) var texts: [String: Set<String>] = [:]

  init(of site: TestSite) throws {
    for path in site.outputFiles() where !path.hasPrefix("assets/") && !path.contains(".sitegen-") {
      let kind = path.hasPrefix("data/") ? "data" : String(path.split(separator: ".").last ?? "")
      var found: Set<String> = []
      let shape = try Self.shape(of: site.folder.read("output/\(path)"), kind: kind, texts: &found)
      texts[kind, default: []].formUnion(found)
      shapes[kind, default: []].append(shape)
    }
    shapes = shapes.mapValues { $0.sorted() }
  }

  private static func shape(
    of bytes: Data, kind: String, texts: inout Set<String>
  ) throws -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind {
    case "html": return HTMLPage(text).skeleton.joined()
    case "json", "webmanifest":
      return shape(of: try JSONSerialization.jsonObject(with: bytes), texts: &texts)
    case "data":
      // The file is a single call with JSON arguments.
      let call = try #require(text.wholeMatch(of: /(sitegen\.\w+)\((?s:(.*))\);?\n?/))
      let list = try JSONSerialization.jsonObject(with: Data("[\(call.2)]".utf8))
      return "\(call.1) \(shape(of: list, texts: &texts))"
    case "css": return tokens(of: text)
    case "xml":
      return try XMLElements(bytes).all.map { element in
        texts.insert(element.text)
        return "<\(element.name) \(element.attributes.keys.sorted().joined(separator: " "))>"
      }.joined()
    case "vcf":
      let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n")
      return lines.map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        if let value = parts.last { texts.insert(unescaped(value)) }
        return "\(parts[0])"
      }.joined(separator: "\n")
    case "swift": return try declarations(in: text)
    // Scripts and robots.txt contain no texts from the manifest.
    case "js", "txt": return text
    default: return ""
    }
  }

  /// Members are sorted by shape, because keys are also texts.
  private static func shape(of value: Any, texts: inout Set<String>) -> String {
    if let members = value as? [String: Any] {
      texts.formUnion(members.keys)
      return
        "{\(members.values.map { shape(of: $0, texts: &texts) }.sorted().joined(separator: ","))}"
    }
    if let items = value as? [Any] {
      return "[\(items.map { shape(of: $0, texts: &texts) }.joined(separator: ","))]"
    }
    if let text = value as? String {
      texts.insert(text)
      return "s"
    }
    return value is NSNull ? "null" : "n"
  }

  /// Returns CSS tokens: names, numbers and strings without their values, and all punctuation.
  private static func tokens(of css: String) -> String {
    let comment = /\/\*(?s:.*?)\*\//
    let string = /"(?:[^"\\\n]|\\.)*"/
    let number = /#?[-+]?\d[\w.%]*/
    let name = /(?:[-\w]|[^\x00-\x7F]|\\.)+/
    var shape = ""
    var rest = css[...]
    while let first = rest.first {
      if let match = rest.prefixMatch(of: comment) {
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: string) {
        shape += "s"
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: number) {
        shape += "n"
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: name) {
        shape += "i"
        rest = rest[match.range.upperBound...]
      } else {
        if !first.isWhitespace { shape.append(first) }
        rest = rest.dropFirst()
      }
    }
    return shape
  }

  /// Checks that each line in the Swift file matches one of these patterns.
  private static func declarations(in text: String) throws -> String {
    let constant = /public static var `?[\p{L}_]\w*`?: String \{ "[\w\/]+" \}/
    let type = /public enum [\p{L}_]\w* \{/
    return try text.split(separator: "\n").map { line in
      let line = line.drop { $0 == " " }
      if line.wholeMatch(of: constant) != nil { return "c" }
      if line.wholeMatch(of: type) != nil { return "{" }
      try #require(line == "}" || line.hasPrefix("//"), "\(line)")
      return line == "}" ? "}" : ""
    }.joined()
  }

  /// Removes the escaping backslashes from a vCard value.
  private static func unescaped(_ value: Substring) -> String {
    var text = String.UnicodeScalarView()
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      text.append(scalar == "\\" ? scalars.next() ?? scalar : scalar)
    }
    return String(text)
  }
}

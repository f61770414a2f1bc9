import Diagnostics
import Documents
package import Foundation

package struct ListAddress: Sendable {
  /// Where to find the next page's URL: in a `Link: <…>; rel="next"` header, or in the JSON itself.
  package enum Pages: String, CaseIterable, Sendable { case link, next }

  /// The byte inserted before each page (RFC 7464); it never occurs in JSON text.
  package static let separator: UInt8 = 0x1E

  package var url = ""
  /// Header lines with lower-case names; `${NAME}` in a value refers to an environment variable.
  package var headers: [String] = []
  package var pages: Pages?

  /// The cache key, without the values of environment variables.
  package var key: String {
    ([url] + headers + (pages.map { [$0.rawValue] } ?? [])).joined(separator: "\n")
  }

  static let keys = Keys<ListAddress>("a fetched list") {
    let url = Kind.text(pattern: "^\(Pattern.web).+$").described("URL").then {
      reader, field, text in
      if text.wholeMatch(of: /(?i)https?:\/\/.+/) != nil { return text }
      return reader.reject(.badAddress, "this is not a valid list URL", field)
    }
    Key("url", url, to: \.url, required: "add a URL, as in url: https://example.org/team.json")
      .doc("The URL of the list, or of its first page.")
    let headers = ValueForm("mapping") {
      .type("object", ["additionalProperties": ["$ref": "#/$defs/text"]])
    }
    Key("headers", Kind(headers, read: readHeaders), to: \.headers)
      .doc("HTTP headers, sent only to `url`'s origin. `${NAME}` inserts an environment variable.")
    Key("pages", .words(Pages.self), to: \.pages)
      .doc(
        default: "the first page only",
        "Where to find the next page's URL: in the `Link` header, or as `next` in the JSON.")
  }

  package static var variable: Regex<(Substring, Substring)> { /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/ }

  package static func canBeSent(_ value: String) -> Bool {
    !value.isBlank && value.utf8.count <= ManifestLimits.textBytes
      && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static func readHeaders(_ reader: inout FieldReader, _ field: Field) -> [String]? {
    guard case .mapping(let entries) = field.node.content, entries.count <= 16 else {
      return reader.rejectType(field, expected: "a mapping of up to 16 headers")
    }
    // Reject headers that control the connection or ask for only part of the list.
    let refused = [
      "host", "content-length", "connection", "transfer-encoding", "te", "trailer", "upgrade",
      "keep-alive", "expect", "accept-encoding", "range",
    ]
    let name = /(?!proxy-|if-|sec-)[a-z0-9!#$%&'*+.^_`|~-]{1,64}/
    return entries.map { entry in
      let (key, value) = (entry.key.lowercased(), entry.value.text ?? "")
      let literal = value.replacing(variable, with: "")
      let isSecret = ["authorization", "cookie"].contains(key)
      let header = Field(node: entry.value, path: .key(entry.key, in: field.path))
      if key.wholeMatch(of: name) == nil || refused.contains(key) {
        reader.report(.unknownValue, "the header \(key.quoted) cannot be set", header)
      } else if !canBeSent(value) || literal.contains("${") || isSecret && literal == value {
        // The message does not quote the value, because it may be a secret.
        reader.report(
          .unknownValue, "the value of the header `\(key)` cannot be sent", header,
          help: "write one line of ASCII; take secrets from the environment, as in ${TEAM_TOKEN}")
      }
      return "\(key): \(value)"
    }
  }

  package func next(after body: Data, link: String?, at url: String) -> String? {
    var text = pages == .next ? Self.next(in: body) : nil
    // RFC 8288 defines the syntax of the `Link` header.
    for match in (link ?? "").matches(of: /<([^<>]*)>([^<]*)/) where pages == .link && text == nil {
      let relations = match.2.firstMatch(of: /(?i);\s*rel\s*=\s*"?([^";,]*)/)?.1 ?? ""
      if relations.lowercased().split(separator: " ").contains("next") { text = String(match.1) }
    }
    return text.map { URL(string: $0, relativeTo: URL(string: url))?.absoluteString ?? $0 }
  }

  /// Finds the link to the next page in JSON from Django REST, JSON:API, HAL or Microsoft Graph.
  private static func next(in body: Data) -> String? {
    let page = try? Document(reading: [UInt8](body), syntax: .json, file: "", limits: .people)
    for place in [["next"], ["links", "next"], ["odata.nextlink"]] {
      let value = page?.root.value(at: place[...])
      if let text = value?.text ?? value?.value(at: ["href"])?.text, !text.isEmpty { return text }
    }
    return nil
  }
}

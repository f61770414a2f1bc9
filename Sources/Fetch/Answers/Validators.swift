/// The ETag and Last-Modified of a response, for conditional requests.
package struct Validators: Hashable, Sendable, Codable {
  /// The entity tag, which is sent back unchanged, including its quotes.
  package var etag: String?
  package var lastModified: String?
  /// The host that sent the validators, with the port; other hosts never receive them.
  package var host: String?

  package init(etag: String? = nil, lastModified: String? = nil, host: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.host = host
  }

  /// Creates validators; only a single entity tag is accepted, because a list would match too much.
  package init(_ fields: HTTPFields) {
    self.init(
      etag: fields["etag"].flatMap { Self.isTag($0) ? $0 : nil },
      lastModified: fields["last-modified"].flatMap { Self.isDate($0) ? $0 : nil },
      host: fields.host)
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }

  /// The request headers, without values that are too long or contain control characters.
  package var lines: [String] {
    func isGood(_ value: String) -> Bool {
      (1...Self.longest).contains(value.utf8.count)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    return [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap {
      name, value in value.flatMap { isGood($0) ? "\(name): \($0)" : nil }
    }
  }

  /// Returns whether two entity tags are equal by weak comparison (RFC 9110, 8.8.3.2).
  package static func isSame(_ tag: String, _ other: String) -> Bool {
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    return opaque(tag) == opaque(other)
  }

  private static let longest = 1024

  private static func isTag(_ text: String) -> Bool {
    text.utf8.count <= longest && text.wholeMatch(of: /(?:W\/)?"[!#-~]*"/) != nil
  }

  /// Returns whether the text is a date and nothing else; it is later sent back unchanged.
  private static func isDate(_ text: String) -> Bool {
    text.utf8.count <= longest && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && HTTPDate.seconds(text) != nil
  }
}

package struct HTTPFields: Hashable, Sendable, Codable {
  private var values: [String: [String]] = [:]
  /// The host that responded, with the port; after a redirect, it may differ from the URL's host.
  package var host: String?

  package init() {}

  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  package mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  /// The values of all fields with this name, joined by commas; nil if the field is absent.
  package subscript(_ name: String) -> String? {
    values[name.lowercased()].map { $0.joined(separator: ", ") }
  }
}

/// What a server sends so that we can ask whether something has changed.
package struct Validators: Hashable, Sendable, Codable {
  /// Sent back as it came, quotes included.
  package var etag: String?
  /// Sent back as it came.
  package var lastModified: String?
  /// The host that sent them, with the port, if it is known; they are sent to no other host.
  package var host: String?

  package init(etag: String? = nil, lastModified: String? = nil, host: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.host = host
  }

  /// The validators of an answer, unless they are malformed.
  ///
  /// An entity tag is a single one, weak or not: a list of tags or a `*` would match anything.
  package init(_ fields: HTTPFields) {
    self.init(
      etag: fields["etag"].flatMap { Self.isTag($0) ? $0 : nil },
      lastModified: fields["last-modified"].flatMap { Self.isDate($0) ? $0 : nil },
      host: fields.host)
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }

  /// The header lines to send; a value that is too long, or not one line, is not sent.
  package var lines: [String] {
    func isGood(_ value: String) -> Bool {
      (1...Self.longest).contains(value.utf8.count)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    return [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap {
      name, value in value.flatMap { isGood($0) ? "\(name): \($0)" : nil }
    }
  }

  /// Whether two tags say that something is the same, weak or not (RFC 9110, 8.8.3.2).
  package static func isSame(_ tag: String, _ other: String) -> Bool {
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    return opaque(tag) == opaque(other)
  }

  private static let longest = 1024

  private static func isTag(_ text: String) -> Bool {
    text.utf8.count <= longest && text.wholeMatch(of: /(?:W\/)?"[!#-~]*"/) != nil
  }

  /// It is sent back as it came, so it must be nothing but a date.
  private static func isDate(_ text: String) -> Bool {
    text.utf8.count <= longest && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && HTTPDate.seconds(text) != nil
  }
}

/// The header fields of an answer, by names in lower case.
package struct HTTPFields: Hashable, Sendable, Codable {
  private var values: [String: [String]] = [:]
  /// The host that answered, with the port; redirects may have led to another one than was asked.
  package var host: String?

  package init() {}

  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  package mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  /// All lines of that name as one list; nil when there is none.
  package subscript(_ name: String) -> String? {
    values[name.lowercased()].map { $0.joined(separator: ", ") }
  }
}

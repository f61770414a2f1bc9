/// One address to get, and what is known of it already.
package struct FetchRequest: Hashable, Sendable {
  /// As it was written: `http://` or `https://`, and what follows.
  package var url: String
  /// Of what is kept: the far end may answer that it is still the same.
  package var validators: Validators

  package init(_ url: String, validators: Validators = Validators()) {
    self.url = url
    self.validators = validators
  }
}

/// By what a server tells whether something has changed.
package struct Validators: Hashable, Sendable, Codable {
  /// Sent back as it came, quotes included.
  package var etag: String?
  /// Likewise.
  package var lastModified: String?
  /// Who gave them, with the port: nobody else is told; nil where that is not known.
  package var host: String?

  package init(etag: String? = nil, lastModified: String? = nil, host: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.host = host
  }

  package var isEmpty: Bool { etag == nil && lastModified == nil }
}

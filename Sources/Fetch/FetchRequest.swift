/// One address to fetch, and what is known of it already.
package struct FetchRequest: Hashable, Sendable {
  /// As it was written: `http://` or `https://`, and what follows.
  package var url: String
  /// Those of the copy that is kept: the server may answer that it has not changed.
  package var validators: Validators

  package init(_ url: String, validators: Validators = Validators()) {
    self.url = url
    self.validators = validators
  }
}

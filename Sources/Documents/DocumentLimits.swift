/// What a document may cost, so that no file can fill the memory or the day.
///
/// They are checked while reading: what is over a limit is refused, never read to its end first.
package struct DocumentLimits: Hashable, Sendable {
  /// Bytes of a document that is read whole.
  package var bytes = 64 << 20
  /// Mappings and sequences inside each other.
  package var depth = 32
  /// Values of a whole document, aliases counted with all that they copy.
  package var nodes = 8_000_000
  /// Values that the aliases of a whole document copy.
  package var copiedNodes = 1_000_000
  /// Bytes of one text.
  package var scalarBytes = 4 << 10
  /// Bytes of one text that starts with `data:`.
  package var dataScalarBytes = 2 << 20
  /// Recoverable problems of a whole document that are kept; one more says that there were others.
  package var problems = 10_000

  /// Bytes of a list that is read record by record.
  package var listBytes = 2 << 30
  /// Records of a list.
  package var records = 5_000_000
  /// Bytes of one record; this much of a list is held at a time.
  package var recordBytes = 8 << 20
  /// Values of one record, aliases counted with all that they copy.
  package var recordNodes = 10_000

  package init() {}

  package static let standard = DocumentLimits()

  /// The cap for a text that starts like this one.
  func scalarCap(isData: Bool) -> Int { isData ? dataScalarBytes : scalarBytes }
}

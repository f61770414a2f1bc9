/// Every code that this room reports, each with the sentence that explains it in the docs.
package enum DocumentCode: String, CaseIterable, Sendable {
  // MARK: Text

  /// The file has no content, or only blanks and comments.
  case documentEmpty = "document-empty"
  /// The file has more bytes than a document or a list may have.
  case documentTooLarge = "document-too-large"
  /// The file starts with the byte order mark of UTF-16 or UTF-32, but only UTF-8 is read.
  case textEncoding = "text-encoding"
  /// The file holds bytes that are no UTF-8.
  case textInvalidUTF8 = "text-invalid-utf8"
  /// The file holds a raw control character, such as NUL, that no text needs.
  case textControlCharacter = "text-control-character"

  // MARK: Any syntax

  /// Mappings and sequences are nested deeper than any manifest needs.
  case documentTooDeep = "document-too-deep"
  /// The document, or one record of a list, holds more values than allowed.
  case documentTooManyValues = "document-too-many-values"
  /// There were more recoverable problems than are kept, so not all of them are shown.
  case documentTooManyProblems = "document-too-many-problems"
  /// One text is longer than allowed; texts that start with `data:` may be longer than others.
  case scalarTooLong = "scalar-too-long"
  /// A mapping, or a CSV header, names the same key twice.
  case duplicateKey = "duplicate-key"

  // MARK: JSON

  /// Something else was expected here by the grammar of JSON.
  case jsonSyntax = "json-syntax"
  /// The JSON ends before its value is complete.
  case jsonUnfinished = "json-unfinished"
  /// A comma stands before a closing bracket, which JSON does not allow.
  case jsonTrailingComma = "json-trailing-comma"
  /// JSON has no comments.
  case jsonComment = "json-comment"
  /// A word stands where a value should be, but JSON knows only `true`, `false` and `null`.
  case jsonWord = "json-word"
  /// A number is not written as JSON wants it, for example with a leading zero.
  case jsonNumber = "json-number"
  /// A JSON string holds a line break or tab as such, or uses the wrong quotes.
  case jsonString = "json-string"
  /// A backslash in a JSON string is followed by something that is no escape.
  case jsonEscape = "json-escape"
  /// A `\u` escape names one half of a surrogate pair without the other.
  case jsonSurrogate = "json-surrogate"
  /// More text follows after the JSON value is complete.
  case jsonTrailingText = "json-trailing-text"

  // MARK: YAML

  /// The YAML parser cannot read the file here.
  case yamlSyntax = "yaml-syntax"
  /// A value carries a tag such as `!!str`, and tags are not supported.
  case yamlTag = "yaml-tag"
  /// A mapping uses the merge key `<<`, which is not supported.
  case yamlMergeKey = "yaml-merge-key"
  /// An alias names an anchor that no value before it has.
  case yamlAliasUndefined = "yaml-alias-undefined"
  /// An alias stands inside the very value that it would copy.
  case yamlAliasCycle = "yaml-alias-cycle"
  /// The aliases of the document copy more values than allowed.
  case yamlAliasTooManyCopies = "yaml-alias-too-many-copies"
  /// A key of a mapping is a list, a mapping or an alias instead of text.
  case yamlKey = "yaml-key"
  /// The file holds a directive other than `%YAML`.
  case yamlDirective = "yaml-directive"
  /// The file holds more than one YAML document.
  case yamlManyDocuments = "yaml-many-documents"

  // MARK: CSV

  /// A quote stands inside an unquoted cell, or text follows a closing quote.
  case csvQuote = "csv-quote"
  /// A quoted cell is never closed.
  case csvQuoteOpen = "csv-quote-open"
  /// A row has more or fewer cells than the header row.
  case csvCellCount = "csv-cell-count"
  /// A cell of the header row is empty, so its column has no key.
  case csvHeader = "csv-header"

  // MARK: Lists

  /// A list was expected, one record after the other, but the file holds something else.
  case listExpected = "list-expected"
  /// A list has more records than allowed.
  case listTooLong = "list-too-long"
  /// A record of a list is not a mapping of keys to values.
  case recordNotMapping = "record-not-mapping"
  /// One record of a list has more bytes than allowed.
  case recordTooLong = "record-too-long"
}

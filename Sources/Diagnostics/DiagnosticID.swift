/// What a diagnostic is about: the ids that code names.
///
/// `DiagnosticID+Texts.swift` has the texts of all ids: also of the notices, and of the reasons why a
/// picture cannot be made or fetched, which `Recipes`, `Fetch` and `Build` name.
package enum DiagnosticID: String, CaseIterable, Hashable, Sendable {
  // MARK: The manifest

  case versionMissing = "version-missing"
  case versionUnknown = "version-unknown"
  case unknownKey = "unknown-key"
  case missingKey = "missing-key"
  case notSupported = "not-supported"
  case wrongType = "wrong-type"
  case unknownValue = "unknown-value"
  case outOfRange = "out-of-range"
  case tooMany = "too-many"
  case badText = "bad-text"
  case badColor = "bad-color"
  case emptyColor = "empty-color"
  case badLanguage = "bad-language"
  case badName = "bad-name"
  case duplicateName = "duplicate-name"
  case conflict
  case unknownTheme = "unknown-theme"
  case badNetwork = "bad-network"

  // MARK: Styles

  case unknownStyle = "unknown-style"
  case styleCycle = "style-cycle"
  case styleTooSmall = "style-too-small"
  case borderSkipped = "border-skipped"
  case jpegNeedsBackground = "jpeg-needs-background"
  case badgeUnreadable = "badge-unreadable"
  case noFaceDetector = "no-face-detector"
  case maxBytesMissed = "max-bytes-missed"
  case exportNeedsPNG = "export-needs-png"
  case lowContrast = "low-contrast"
  case spriteTooLarge = "sprite-too-large"
  case posterTooLarge = "poster-too-large"

  // MARK: Users

  case noUsers = "no-users"
  case usersUnreadable = "users-unreadable"
  case usersGuess = "users-guess"
  case usersShrunk = "users-shrunk"
  case shallowClone = "shallow-clone"
  case badID = "bad-id"
  case duplicateID = "duplicate-id"
  case badLink = "bad-link"
  case unknownDecoration = "unknown-decoration"
  case unknownUser = "unknown-user"

  // MARK: Pictures

  case fontUnusable = "font-unusable"
  case profileIgnored = "profile-ignored"
  case noAvatar = "no-avatar"

  // MARK: Fetching

  case badAddress = "bad-address"
  case badData = "bad-data-address"
  case sourceStale = "source-stale"

  // MARK: The machine

  case manifestUnreadable = "manifest-unreadable"
  case locked
  case lockLost = "lock-lost"
  case outputNotOurs = "output-not-ours"
  case outputUnsteady = "output-unsteady"
  case cacheNotOurs = "cache-not-ours"
  case workerCannotStart = "worker-cannot-start"
  case jailIncomplete = "jail-incomplete"
  case imageMagickNotTrusted = "imagemagick-not-trusted"
  case storeUnsteady = "store-unsteady"
  case storeUnusable = "store-unusable"
  case machineFailed = "machine-failed"
  case reportUnwritable = "report-unwritable"

  // MARK: Verifying a site

  case fileMissing = "file-missing"
  case fileChanged = "file-changed"
  case fileForeign = "file-foreign"
  case deadLink = "dead-link"
  case ledgerWrong = "ledger-wrong"
  case blobDamaged = "blob-damaged"
  case cacheDamaged = "cache-damaged"
  case pictureDiffers = "picture-differs"

  // MARK: Comparing sites

  case siteUnreadable = "site-unreadable"
  case siteNotOurs = "site-not-ours"
  case diffNotOurs = "diff-not-ours"

  // MARK: Documents as text

  case documentEmpty = "document-empty"
  case documentTooLarge = "document-too-large"
  case textEncoding = "text-encoding"
  case textInvalidUTF8 = "text-invalid-utf8"
  case textControlCharacter = "text-control-character"

  // Any syntax.
  case documentTooDeep = "document-too-deep"
  case documentTooManyValues = "document-too-many-values"
  case scalarTooLong = "scalar-too-long"
  case duplicateKey = "duplicate-key"

  // JSON.
  case jsonSyntax = "json-syntax"
  case jsonUnfinished = "json-unfinished"
  case jsonTrailingComma = "json-trailing-comma"
  case jsonComment = "json-comment"
  case jsonWord = "json-word"
  case jsonNumber = "json-number"
  case jsonString = "json-string"
  case jsonEscape = "json-escape"
  case jsonSurrogate = "json-surrogate"
  case jsonTrailingText = "json-trailing-text"

  // YAML.
  case yamlSyntax = "yaml-syntax"
  case yamlTag = "yaml-tag"
  case yamlMergeKey = "yaml-merge-key"
  case yamlAliasUndefined = "yaml-alias-undefined"
  case yamlAliasCycle = "yaml-alias-cycle"
  case yamlAliasTooManyCopies = "yaml-alias-too-many-copies"
  case yamlKey = "yaml-key"
  case yamlDirective = "yaml-directive"
  case yamlManyDocuments = "yaml-many-documents"
  case tomlSyntax = "toml-syntax"

  // Markdown and vCard.
  case frontMatter = "front-matter"
  case vCardSyntax = "vcard-syntax"

  // CSV.
  case csvQuote = "csv-quote"
  case csvQuoteOpen = "csv-quote-open"
  case csvCellCount = "csv-cell-count"
  case csvHeader = "csv-header"
  case workbook

  // Lists.
  case listExpected = "list-expected"
  case recordNotMapping = "record-not-mapping"

  // MARK: Templates

  case templateMissing = "template-missing"
  case templateUnreadable = "template-unreadable"
  case templateOutside = "template-outside"
  case templateTooLarge = "template-too-large"
  case templateNotUTF8 = "template-not-utf8"
  case templateUnclosedTag = "template-unclosed-tag"
  case templateUnclosedSection = "template-unclosed-section"
  case templateMismatchedClose = "template-mismatched-close"
  case templateUnexpectedClose = "template-unexpected-close"
  case templateBadDelimiters = "template-bad-delimiters"
  case templateBadName = "template-bad-name"
  case templateTooDeep = "template-too-deep"
  case templateRecursion = "template-recursion"
  case templateUnknownName = "template-unknown-name"

  // MARK: The command line

  case unknownCommand = "unknown-command"
  case unknownOption = "unknown-option"
  case missingValue = "missing-value"
  case badValue = "bad-value"
  case missingOperand = "missing-operand"
  case unexpectedWord = "unexpected-word"
  case folderTaken = "folder-taken"
  case samplesUnwritable = "samples-unwritable"
  case strict
  case portTaken = "port-taken"
  case badHost = "bad-host"
  case cannotServe = "cannot-serve"
  case servedToOthers = "served-to-others"
}

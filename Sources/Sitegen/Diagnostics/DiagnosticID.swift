/// Every diagnostic of this target, once; docs/diagnostics.md lists the same.
///
/// What is wrong with a document as text has its codes in `DocumentCode`.
package enum DiagnosticID: String, CaseIterable, Sendable {
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

  // MARK: Users

  case noUsers = "no-users"
  case usersUnreadable = "users-unreadable"
  case badID = "bad-id"
  case duplicateID = "duplicate-id"
  case badLink = "bad-link"
  case unknownDecoration = "unknown-decoration"
  case unknownUser = "unknown-user"

  // MARK: Pictures: the reasons of an image that could not be made

  case sourceUnreadable = "source-unreadable"
  case pathOutsideRoot = "path-outside-root"
  case notRegularFile = "not-a-regular-file"
  case sourceChanged = "source-changed"
  case sourceEmpty = "source-empty"
  case unsupportedFormat = "unsupported-format"
  case truncated
  case corrupt
  case tooManyBytes = "too-many-bytes"
  case tooManyPixels = "too-many-pixels"
  case tooManyScans = "too-many-scans"
  case tooManyChunks = "too-many-chunks"
  case decodeFailed = "decode-failed"
  case decodeTimeout = "decode-timeout"
  case decodeMemory = "decode-memory"
  case decoderCrashed = "decoder-crashed"
  case renderFailed = "render-failed"
  case encodeFailed = "encode-failed"
  case noInitials = "no-initials"
  case fontMissing = "font-missing"
  case fontUnusable = "font-unusable"
  case glyphMissing = "glyph-missing"
  case noAvatar = "no-avatar"

  // MARK: Fetching: the reasons of a picture that could not be had

  case badAddress = "bad-address"
  case badData = "bad-data-address"
  case portNotAllowed = "port-not-allowed"
  case addressNotPublic = "address-not-public"
  case hostNotFound = "host-not-found"
  case connectionFailed = "connection-failed"
  case connectionCut = "connection-cut"
  case tlsFailed = "tls-failed"
  case fetchTimeout = "fetch-timeout"
  case redirectRefused = "redirect-refused"
  case tooManyRedirects = "too-many-redirects"
  case notFound = "not-found"
  case httpRefused = "http-refused"
  case serverFailed = "server-failed"
  case badAnswer = "bad-answer"
  case encodedBody = "encoded-body"
  case hostGivenUp = "host-given-up"
  case fetchNotStarted = "fetch-not-started"
  case offline
  case sourceStale = "source-stale"

  // MARK: The machine

  case manifestUnreadable = "manifest-unreadable"
  case locked
  case outputNotOurs = "output-not-ours"
  case cacheNotOurs = "cache-not-ours"
  case workerCannotStart = "worker-cannot-start"
  case imageMagickNotTrusted = "imagemagick-not-trusted"
  case storeUnsteady = "store-unsteady"
  case machineFailed = "machine-failed"
  case reportUnwritable = "report-unwritable"

  // MARK: Comparing sites

  case siteUnreadable = "site-unreadable"
  case siteNotOurs = "site-not-ours"
  case diffNotOurs = "diff-not-ours"
}

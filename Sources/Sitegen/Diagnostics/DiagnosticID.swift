import Imaging

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
  case unsupportedSource = "unsupported-source"
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

extension DiagnosticID {
  /// One sentence each: what it means.
  package var meaning: String {
    switch self {
    case .versionMissing: "The manifest does not say which version of its format it is."
    case .versionUnknown: "The manifest is of a version that this sitegen does not read."
    case .unknownKey: "A key is not one of those that may stand here."
    case .missingKey: "A key that cannot be left out is missing or empty."
    case .notSupported: "A key or value is known, but this version cannot do it yet."
    case .wrongType: "A value is of another kind than its key takes, such as text for a number."
    case .unknownValue: "A word is not one of those that the key takes."
    case .outOfRange: "A number is too small or too large, or a list is empty."
    case .tooMany: "A list has more values than allowed."
    case .badText: "A text contains control characters, or is too long."
    case .badColor: "A text is no colour."
    case .emptyColor: "A colour is empty, perhaps since a `#` without quotes begins a comment."
    case .badLanguage: "The language of the site is no language tag."
    case .badName: "The name of a style or button has characters that it may not have."
    case .duplicateName: "Two styles or two buttons have the same name."
    case .conflict: "Two keys or values contradict each other."
    case .unknownTheme:
      "There is no theme of this name; that of another file of sitegen, such as `report`, is none "
        + "either."
    case .unknownStyle: "A name is that of no style."
    case .styleCycle: "Styles start from one another, so that none of them has a beginning."
    case .styleTooSmall: "A style smaller than 1 point in one direction draws nothing."
    case .borderSkipped: "A border cannot be drawn at this size and is left out."
    case .jpegNeedsBackground: "JPEG has no transparency, and nothing says what to put behind."
    case .badgeUnreadable: "The picture of a badge cannot be read or used."
    case .noFaceDetector: "A style looks for faces, and this machine cannot."
    case .exportNeedsPNG: "An export is made of PNG files, and a style has none."
    case .lowContrast: "The words on a button cannot be read well in one of its states."
    case .spriteTooLarge: "Pictures of a style are larger than a sheet of sprites may be."
    case .maxBytesMissed: "Images are larger than `maxBytes` allows, at any quality."
    case .noUsers: "The manifest has no users."
    case .usersUnreadable: "The file that `users` names cannot be opened or read."
    case .badID: "The id of a user is blank, too long, or contains control characters."
    case .duplicateID: "Two users have the same id."
    case .badLink: "A link is none that a page may have."
    case .unknownDecoration: "A name is that of no decoration."
    case .unknownUser: "An id is that of no user."
    case .sourceUnreadable: "The file of a picture cannot be opened or read."
    case .pathOutsideRoot: "The path of a picture leads out of the manifest's folder."
    case .notRegularFile: "The path of a picture leads to a folder, a pipe or a device."
    case .unsupportedSource: "A source is of a kind that this version cannot get yet."
    case .sourceChanged: "The file of a picture changed again and again during the build."
    case .sourceEmpty: "The file of a picture has no bytes."
    case .unsupportedFormat: "The bytes are no picture of a format that is read."
    case .truncated: "The picture ends before it is complete."
    case .corrupt: "The picture contradicts its own format."
    case .tooManyBytes: "The file of a picture is too large."
    case .tooManyPixels: "The picture has too many pixels, whatever the size of its file."
    case .tooManyScans: "The JPEG has more scans than any honest picture."
    case .tooManyChunks: "The picture has more parts than any honest picture."
    case .decodeFailed: "The decoder refused the picture."
    case .decodeTimeout: "Decoding took too long and was ended."
    case .decodeMemory: "Decoding took too much memory and was ended."
    case .decoderCrashed: "The process that decoded the picture died."
    case .renderFailed: "A step between decoding and encoding failed."
    case .encodeFailed: "The finished image could not be written in its format."
    case .noInitials: "Neither the name nor the id has a letter, a digit or an emoji."
    case .fontMissing: "A font that the initials need is not installed."
    case .fontUnusable: "A font cannot be read, or cannot be drawn from."
    case .glyphMissing: "No font has a letter of the initials."
    case .noAvatar: "Neither a picture nor a colour was named."
    case .manifestUnreadable: "The manifest cannot be opened or read."
    case .locked: "Another build is at work with the same output or cache."
    case .outputNotOurs: "A file that sitegen did not write stands where it has to write one."
    case .cacheNotOurs: "The folder of the cache is the output, or has files of somebody else."
    case .workerCannotStart: "A process that decodes pictures cannot be started."
    case .imageMagickNotTrusted: "ImageMagick does not keep to the limits that sitegen sets."
    case .storeUnsteady: "What is written to the cache cannot be read back."
    case .machineFailed: "The disk or its rights did not allow what had to be done."
    case .reportUnwritable:
      "The build has ended, but its report or its report page cannot be written; the note says why."
    case .siteUnreadable: "A folder that shall be compared has no `assets.json` to read."
    case .siteNotOurs: "An `assets.json` is cut, or says what sitegen never writes."
    case .diffNotOurs: "The folder for a page of differences is a site, or has other files."
    }
  }

  /// One sentence each: what to do.
  package var advice: String {
    switch self {
    case .versionMissing, .versionUnknown:
      "Write `version: 1`, or use the sitegen that it was made for."
    case .unknownKey: "Correct the spelling; the help line names the nearest key."
    case .missingKey: "Add the key; a colour that begins with `#` needs quotes in YAML."
    case .notSupported: "Remove it, or use what the help line names."
    case .wrongType:
      "Write the kind that the message expects; numbers, `true` and `false` have no quotes."
    case .unknownValue: "Use one of the words that the help line names."
    case .outOfRange: "Choose a value in the range of the help line."
    case .tooMany: "Name fewer, or split the site."
    case .badText: "Remove the characters, line breaks included, or shorten the text."
    case .badColor: "Write `#rgb`, `#rrggbb`, `rgb()`, `gray()` or a CSS name."
    case .emptyColor: "Put the colour in quotes, or remove the key."
    case .badLanguage: "Write a tag such as `en` or `pt-BR`."
    case .badName:
      "Styles are named with `a-z`, `0-9` and `-`; no name is blank or longer than 64 bytes."
    case .duplicateName: "Give one of them another name."
    case .conflict: "Remove one of them."
    case .unknownTheme: "Correct the spelling, or write a style sheet of this name."
    case .unknownStyle: "Correct the spelling, or add a style with this name."
    case .styleCycle: "Remove `from` from one of them."
    case .styleTooSmall: "Make it larger, or remove it."
    case .borderSkipped: "Make the border narrower, or add `allowNonSquare: true` to it."
    case .jpegNeedsBackground: "Add `opaque: true` or an opaque `background`, or leave `jpeg` out."
    case .badgeUnreadable:
      "Check the name, which is relative to the manifest, or save the picture again."
    case .noFaceDetector: "Install the package that the help line names, or use another focus."
    case .exportNeedsPNG: "Add `png` to the formats of the style."
    case .lowContrast: "Use the colour that the help line names, or another `title`."
    case .spriteTooLarge: "Make the style smaller, or leave out its largest scale."
    case .maxBytesMissed: "Allow more bytes, or make the style smaller."
    case .noUsers: "Add users, or allow it with `--allow-empty`."
    case .usersUnreadable: "Check the name, which is relative to the manifest, and the permissions."
    case .badID: "Choose a shorter, visible id."
    case .duplicateID: "Give one of them another id; the note names the first."
    case .badLink: "Start it with `https://`, `http://` or `mailto:`, without spaces."
    case .unknownDecoration: "Correct the spelling, or give a decoration of a style this name."
    case .unknownUser: "Correct the spelling, or add a user with this id."
    case .sourceUnreadable:
      "Check the name, which is relative to the manifest, and the permissions."
    case .pathOutsideRoot: "Move the picture beside the manifest, or write `allowOutside: true`."
    case .notRegularFile: "Name a file."
    case .unsupportedSource: "Use a file or `color:`, or give the user a `background`."
    case .sourceChanged: "Build again when nothing writes to it."
    case .sourceEmpty, .truncated, .corrupt, .decodeFailed:
      "Save the picture again, or use another."
    case .unsupportedFormat: "Save the picture as \(Inspection.Format.list)."
    case .tooManyBytes, .tooManyPixels, .tooManyScans, .tooManyChunks:
      "Save a smaller or simpler picture; the message names the limit."
    case .decodeTimeout, .decodeMemory:
      "Save a smaller picture, or build again on a quieter machine."
    case .decoderCrashed: "Use another picture; it is tried again in the next build."
    case .renderFailed, .encodeFailed: "Choose a smaller size, or another format."
    case .noInitials: "Give the user a name, or another source."
    case .fontMissing:
      "Run `script/bootstrap`, install the package that the note names, or use `font`."
    case .fontUnusable: "Name a TrueType or OpenType font beside the manifest with `font`."
    case .glyphMissing: "Name a font that has it with `font`, or run `script/bootstrap`."
    case .noAvatar: "Add `avatar` or `background`, if the person shall have a picture."
    case .manifestUnreadable:
      "Check the name and the permissions, or name another with `--manifest`."
    case .locked: "Wait for it to end; a build that died leaves no lock behind."
    case .outputNotOurs: "Choose another `--output`, move the file away, or take it with `--adopt`."
    case .cacheNotOurs: "Name an empty folder with `--cache`, or one that does not exist."
    case .workerCannotStart, .imageMagickNotTrusted: "Ask `sitegen doctor` what this machine lacks."
    case .storeUnsteady: "Check the disk; the cache can be deleted at any time."
    case .machineFailed: "Mend what the note names and build again; the old site is whole."
    case .reportUnwritable:
      "Name a file in a folder that you may write to with `--report`; mend `report.mustache` where "
        + "it is at fault."
    case .siteUnreadable: "Name the output folder of a build."
    case .siteNotOurs: "Build the site again."
    case .diffNotOurs: "Name an empty folder with `--to`, or one that does not exist."
    }
  }
}

import Imaging

extension DiagnosticID {
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
    case .badNetwork: "Write a network such as `10.0.0.0/8`, or a name without port and path."
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
    case .badAddress:
      "Write `https://` with a host and a path, or `gravatar:` and a mail address; no password."
    case .badData: "Write `data:image/png;base64,` and then the bytes, at most 2 MiB in all."
    case .portNotAllowed: "Use the usual port, or list it in `network: { ports: … }`."
    case .addressNotPublic: "If it is one of your own, list it in `network: { allow: … }`."
    case .hostNotFound: "Correct the spelling, or build again when names can be looked up."
    case .connectionFailed, .connectionCut, .fetchTimeout, .serverFailed:
      "Build again later; the next build tries again by itself."
    case .tlsFailed: "Have its certificate mended; `SSL_CERT_FILE` names authorities of your own."
    case .redirectRefused, .tooManyRedirects: "Name the address where the picture is in the end."
    case .notFound: "Correct the address; it is tried again after a day, or with `--retry-failed`."
    case .httpRefused: "Name an address that everybody may read."
    case .badAnswer, .encodedBody: "Tell whoever runs the host, or copy the picture."
    case .hostGivenUp: "Build again later; the report tells what went wrong before."
    case .fetchNotStarted: "Build again when the machine has memory to spare."
    case .offline: "Build once without `--offline`."
    case .sourceStale: "Nothing, if it comes back; else name another source."
    case .noAvatar: "Add `avatar` or `background`, if the person shall have a picture."
    case .manifestUnreadable:
      "Check the name and the permissions, or name another with `--manifest`."
    case .locked: "Wait for it to end; a build that died leaves no lock behind."
    case .outputNotOurs: "Choose another `--output`, move the file away, or take it with `--adopt`."
    case .cacheNotOurs: "Name an empty folder with `--cache`, or one that does not exist."
    case .workerCannotStart, .imageMagickNotTrusted: "Ask `sitegen doctor` what this machine lacks."
    case .storeUnsteady: "Check the disk; its `store` can be deleted at any time."
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

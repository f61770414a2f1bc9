/// The diagnostic ids used in code, except those for picture failures and notices.
package enum DiagnosticID: CaseIterable, Hashable, Sendable {

  case versionMissing, versionUnknown, unknownKey, missingKey, notSupported, wrongType, unknownValue
  case outOfRange, tooMany, badText, badColor, emptyColor, badLanguage, badName, duplicateName
  case conflict, unknownTheme, badNetwork

  case unknownStyle, styleCycle, styleTooSmall, borderSkipped, jpegNeedsBackground, badgeUnreadable
  case noFaceDetector, maxBytesMissed, exportNeedsPNG, lowContrast, spriteTooLarge, posterTooLarge

  case noUsers, usersUnreadable, usersGuess, usersShrunk, shallowClone, badID, duplicateID, badLink
  case unknownDecoration, unknownUser

  case fontUnusable, profileIgnored, noAvatar

  case badAddress, badDataAddress, sourceStale

  case manifestUnreadable, locked, lockLost, outputNotOurs, outputUnsteady, cacheNotOurs
  case workerCannotStart, sandboxIncomplete, imagemagickNotTrusted, storeUnsteady, storeUnusable
  case machineFailed

  case fileMissing, fileChanged, fileForeign, deadLink, ledgerWrong, blobDamaged, cacheDamaged
  case pictureDiffers

  case siteUnreadable, siteNotOurs, diffNotOurs

  case documentEmpty, documentTooLarge, textEncoding, textInvalidUTF8, textControlCharacter

  case documentTooDeep, documentTooManyValues, scalarTooLong, duplicateKey

  case jsonSyntax, jsonUnfinished, jsonTrailingComma, jsonComment, jsonWord, jsonNumber, jsonString
  case jsonEscape, jsonSurrogate, jsonTrailingText

  case yamlSyntax, yamlTag, yamlMergeKey, yamlAliasUndefined, yamlAliasCycle, yamlAliasTooManyCopies
  case yamlKey, yamlDirective, yamlManyDocuments, tomlSyntax

  case frontMatter, vcardSyntax

  case csvQuote, csvQuoteOpen, csvCellCount, csvHeader, workbook

  case listExpected, recordNotMapping

  case templateMissing, templateUnreadable, templateOutside, templateTooLarge, templateNotUTF8
  case templateUnclosedTag, templateUnclosedSection, templateMismatchedClose
  case templateUnexpectedClose, templateBadDelimiters, templateBadName, templateTooDeep
  case templateRecursion, templateUnknownName

  case unknownCommand, unknownOption, missingValue, badValue, missingOperand, unexpectedWord
  case folderTaken, samplesUnwritable, strict, portTaken, badHost, cannotServe, servedToOthers

  /// The printed form, such as `no-users` for `noUsers`.
  package var rawValue: String { Self.names[self] ?? "" }

  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { id in
      let name = "\(id)"
      let letters = zip(" " + name, name).map { last, letter in
        letter.isUppercase && last.isLowercase ? "-\(letter)" : "\(letter)"
      }
      return (id, letters.joined().lowercased())
    })
}

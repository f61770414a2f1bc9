import Bytes

// What to say about broken JSON: what was expected, what was found, what to do.
extension JSONParser {
  func unexpected(
    _ expected: String, code: DocumentCode = .jsonSyntax, help: String? = nil
  ) -> DocumentError {
    guard offset < end else {
      return DocumentError(
        .jsonUnfinished, "\(expected) was expected, but \(endName) was found", file: file,
        at: position, help: "check that the file is complete")
    }
    let word = found(at: offset)
    switch bytes[offset] {
    case UInt8(ascii: "/"), Byte.hash:
      return DocumentError(
        .jsonComment, "\(expected) was expected, but a comment was found", file: file,
        at: position, help: "JSON has no comments: remove it, or write the file as YAML")
    case UInt8(ascii: "'"):
      return DocumentError(
        .jsonString, "\(expected) was expected, but a single quote was found", file: file,
        at: position, help: "put text into double quotes")
    case Byte.plus, Byte.dot:
      return DocumentError(
        .jsonNumber, "\(expected) was expected, but \(word) was found", file: file,
        at: position, help: "a number starts with a digit or `-`")
    case let byte where byte.isWord && !byte.isASCIIDigit && code == .jsonSyntax:
      return DocumentError(
        .jsonWord, "\(expected) was expected, but the word \(word) was found", file: file,
        at: position,
        help: "put text into double quotes; the only words are `true`, `false` and `null`")
    default:
      return DocumentError(
        code, "\(expected) was expected, but \(word) was found", file: file, at: position,
        help: help)
    }
  }

  func trailingText() -> DocumentError {
    DocumentError(
      .jsonTrailingText, "\(endName) was expected, but \(found(at: offset)) was found", file: file,
      at: position, help: "a text holds one value; put several into a list")
  }

  func trailingComma(at place: Position) -> DocumentError {
    DocumentError(
      .jsonTrailingComma, "a comma stands before \(found(at: offset))", file: file, at: place,
      help: "remove the comma")
  }

  func rawControl(at index: Int, opening: Position) -> DocumentError {
    let name = bytes[index] == Byte.tab ? "a tab" : "a line break"
    let escape = bytes[index] == Byte.tab ? "\\t" : "\\n"
    return DocumentError(
      .jsonString, "\(name) stands inside a string", file: file, at: position(at: index),
      note: "the string began at \(opening.line):\(opening.column)",
      help: "write `\(escape)`, or close the string")
  }

  func unclosedString(at opening: Position) -> DocumentError {
    DocumentError(
      .jsonUnfinished, "a string is never closed", file: file, at: opening,
      note: "\(endName) was found instead", help: "close it with a double quote")
  }

  func badEscape(at index: Int) -> DocumentError {
    let isUnicode = bytes[index + 1] == UInt8(ascii: "u")
    return DocumentError(
      .jsonEscape,
      isUnicode
        ? "`\\u` is not followed by four hexadecimal digits"
        : "a backslash is followed by \(found(at: index + 1, words: false))",
      file: file, at: position(at: index),
      help: "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits")
  }

  func loneSurrogate(at index: Int) -> DocumentError {
    DocumentError(
      .jsonSurrogate, "\(String(decoding: bytes[index..<index + 6], as: UTF8.self)) is half a pair",
      file: file, at: position(at: index),
      help: "write the character itself, or both halves: `\\ud83d\\ude00`")
  }

  func badNumber(at place: Position, _ message: String, help: String) -> DocumentError {
    DocumentError(.jsonNumber, message, file: file, at: place, help: help)
  }

  /// What stands at an offset, as a reader would name it: a word as a whole, else one character.
  func found(at index: Int, words: Bool = true) -> String {
    guard index < end else { return endName }
    if words, bytes[index] == Byte.quote { return "a string" }
    if bytes[index] == Byte.newline || bytes[index] == Byte.carriageReturn {
      return "the end of the line"
    }
    var last = index + 1
    if words, bytes[index].isWord {
      while last < end, last < index + 20, bytes[last].isWord { last += 1 }
    }
    while last < end, bytes[last].isContinuation { last += 1 }
    return "`\(String(decoding: bytes[index..<last], as: UTF8.self))`"
  }
}

import Bytes
import Diagnostics

extension JSONParser {
  func unexpected(_ expected: String, help: String? = nil) -> Diagnostic {
    guard offset < end else {
      return Diagnostic(
        .jsonUnfinished, "expected \(expected), but reached the end of the file", file: file,
        at: position, help: "check that the file is complete")
    }
    let word = found(at: offset)
    let (id, found, advice): (DiagnosticID, String, String?) =
      switch bytes[offset] {
      case UInt8(ascii: "/"), Byte.hash:
        (.jsonComment, "a comment", "remove it, or use YAML, which allows comments")
      case UInt8(ascii: "'"): (.jsonString, "a single quote", "put text in double quotes")
      case Byte.plus, Byte.dot: (.jsonNumber, word, "a number starts with a digit or `-`")
      case let byte where byte.isWord && !byte.isASCIIDigit:
        (
          .jsonWord, "the word \(word)",
          "put text in double quotes; the only words allowed are `true`, `false` and `null`"
        )
      default: (.jsonSyntax, word, help)
      }
    return Diagnostic(
      id, "expected \(expected), but found \(found)", file: file, at: position, help: advice)
  }

  func unclosedString(at opening: Position) -> Diagnostic {
    Diagnostic(
      .jsonUnfinished, "a string is never closed", file: file, at: opening,
      note: "the file ends before the closing quote", help: "close it with a double quote")
  }

  func badEscape(at index: Int) -> Diagnostic {
    let isUnicode = bytes[index + 1] == UInt8(ascii: "u")
    return Diagnostic(
      .jsonEscape,
      isUnicode
        ? "`\\u` is not followed by four hexadecimal digits"
        : "a backslash is not followed by a valid escape",
      file: file, at: position(at: index),
      help: "valid escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits")
  }

  func loneSurrogate(at index: Int) -> Diagnostic {
    Diagnostic(
      .jsonSurrogate, "\(String(decoding: bytes[index..<index + 6], as: UTF8.self)) is unpaired",
      file: file, at: position(at: index),
      help: "write the character itself, or both halves: `\\ud83d\\ude00`")
  }

  func found(at index: Int) -> String {
    guard index < end else { return "the end of the file" }
    if bytes[index] == Byte.quote { return "a string" }
    if bytes[index] == Byte.newline || bytes[index] == Byte.carriageReturn {
      return "the end of the line"
    }
    var last = index + 1
    if bytes[index].isWord {
      while last < end, last < index + 20, bytes[last].isWord { last += 1 }
    }
    while last < end, bytes[last].isContinuation { last += 1 }
    return "`\(String(decoding: bytes[index..<last], as: UTF8.self))`"
  }
}

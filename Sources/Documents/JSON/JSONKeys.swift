import Foundation

/// A reader for the keys of an object that is directly inside the root object of a JSON file.
///
/// The file is read in pieces, because decoding all of it would take more memory than a build.
package struct JSONKeys {
  private let member: String
  package private(set) var isComplete = false
  private var isInside = false
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  private var text: [UInt8] = []

  package init(of member: String) { self.member = member }

  package mutating func read(_ piece: [UInt8], _ found: (String) -> Void) {
    for byte in piece {
      if isText {
        if depth > 2, !isEscaped, byte != Byte.quote, byte != Byte.backslash { continue }
        if depth <= 2 { text.append(byte) }
        isText = isEscaped || byte != Byte.quote
        isEscaped = !isEscaped && byte == Byte.backslash
        continue
      }
      switch byte {
      case Byte.quote:
        isText = true
        text = [byte]
      case Byte.colon where depth == 1: isInside = decodedText == member
      case Byte.colon where depth == 2 && isInside:
        if let key = decodedText { found(key) }
      case Byte.openBracket where depth == 1:
        isInside = false
        depth += 1
      case Byte.openBrace, Byte.openBracket: depth += 1
      case Byte.closeBrace, Byte.closeBracket:
        depth -= 1
        if depth == 1, isInside { (isInside, isComplete) = (false, true) }
      default: break
      }
    }
  }

  private var decodedText: String? {
    text.contains(Byte.backslash)
      ? try? JSONDecoder().decode(String.self, from: Data(text))
      : String(validating: text.dropFirst().dropLast(), as: UTF8.self)
  }
}

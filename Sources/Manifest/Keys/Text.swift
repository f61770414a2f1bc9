import Bytes
import Diagnostics

extension String {
  package var shortened: String { String(quoted.dropFirst().dropLast()) }

  package func hasControls(otherThanLines allowsLines: Bool = false) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x7F {
        let isLine = byte == 0x0A || byte == 0x0D || byte == 0x09
        if !(isLine && allowsLines) { return true }
      }
      // C1 controls are U+0080…U+009F, which UTF-8 encodes as C2 80…C2 9F.
      if previous == 0xC2, (0x80...0x9F).contains(byte) { return true }
      previous = byte
    }
    return false
  }

  package var isBlank: Bool {
    if let first = utf8.first, (0x21..<0x7F).contains(first) { return false }
    return unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  var isWord: Bool {
    !isEmpty
      && utf8.allSatisfy {
        $0 == $0.asciiLowercased && ($0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-"))
      }
  }
}

package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(word.lowercased().unicodeScalars.prefix(64))
  let allowed = max(1, letters.count / 3)
  var best: (word: String, distance: Int)?
  for candidate in candidates {
    let other = Array(candidate.lowercased().unicodeScalars)
    guard abs(other.count - letters.count) <= allowed else { continue }
    let distance = editDistance(letters, other)
    if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.word
}

private let synonyms = [
  "ring": "border", "rings": "border", "squircle": "continuous", "cover": "fill",
]

/// Returns "did you mean `x`?" or, if no candidate is similar, the valid values.
package func suggestion(for word: String, among candidates: [String]) -> String? {
  if candidates.isEmpty { return nil }
  if let known = synonyms[word.lowercased()], candidates.contains(known) {
    return "did you mean `\(known)`?"
  }
  if let near = nearest(to: word, among: candidates) { return "did you mean `\(near)`?" }
  let shown = candidates.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
  let left = candidates.count - 20
  return "known names are \(shown)" + (left > 0 ? " and \(left) more" : "")
}

private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
      var distance = min(replaced, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[right.count]
}

extension Array where Element: Equatable {
  var distinct: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

import Foundation
package import Testing

/// Expects two texts to be equal to the byte, and shows the first line in which they are not.
package func expect(
  _ text: String, equals expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  if text.utf8.elementsEqual(expected.utf8) { return }
  let lines = text.components(separatedBy: "\n")
  let others = expected.components(separatedBy: "\n")
  for number in 0..<max(lines.count, others.count) {
    let line = number < lines.count ? lines[number] : "(no line)"
    let other = number < others.count ? others[number] : "(no line)"
    if !line.utf8.elementsEqual(other.utf8) {
      Issue.record(
        "line \(number + 1) is\n\(line)\nand should be\n\(other)", sourceLocation: sourceLocation)
      return
    }
  }
}

/// Expects identical texts, and otherwise shows the first line that differs.
package func expect(
  _ text: String, equals expected: String, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if text.utf8.elementsEqual(expected.utf8) { return }
  let lines = text.components(separatedBy: "\n")
  let others = expected.components(separatedBy: "\n")
  for number in 0..<max(lines.count, others.count) {
    let line = number < lines.count ? lines[number] : "(no line)"
    let other = number < others.count ? others[number] : "(no line)"
    if !line.utf8.elementsEqual(other.utf8) {
      Issue.record(
        "line \(number + 1) is\n\(line)\nand should be\n\(other)\n\(comment)",
        sourceLocation: sourceLocation)
      return
    }
  }
}

/// Expects a text to match the file `Tests/Snapshots/MODULE/NAME`.
///
/// With `UPDATE_SNAPSHOTS=1`, the file is written instead, except in CI.
package func expectSnapshot(
  _ text: String, _ name: String, by test: String = #fileID,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = "Tests/Snapshots/\(test.prefix { $0 != "/" })/\(name)"
  let file = Checkout.root.appending(path: path)
  let environment = ProcessInfo.processInfo.environment
  guard environment["UPDATE_SNAPSHOTS"] == "1" else {
    let known = try? String(contentsOf: file, encoding: .utf8)
    let comment = "in \(path); if the new text is right, run the test with UPDATE_SNAPSHOTS=1"
    return expect(text, equals: known ?? "", comment, sourceLocation: sourceLocation)
  }
  try #require(
    environment["CI"] != "true", "CI does not write snapshots", sourceLocation: sourceLocation)
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try text.write(to: file, atomically: true, encoding: .utf8)
}

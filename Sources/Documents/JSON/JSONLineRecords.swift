import Diagnostics

struct JSONLineRecords: RecordSource {
  private let text: CleanText
  private let limits: DocumentLimits
  private var lines: TextLines

  init(_ text: CleanText, limits: DocumentLimits) {
    self.text = text
    self.limits = limits
    lines = TextLines(text.bytes)
  }

  mutating func next() -> RecordReader.Record? {
    while let line = lines.next() {
      var parser = JSONParser(
        Array(text.bytes[line]), line: lines.number, file: text.file, limits: limits)
      parser.skipSpace()
      guard parser.offset < parser.end else { continue }
      let start = parser.position
      do throws(Diagnostic) {
        let node = try parser.wholeText()
        return .checked(node, problems: parser.problems, file: text.file)
      } catch {
        return .broken(error, at: start)
      }
    }
    return nil
  }
}

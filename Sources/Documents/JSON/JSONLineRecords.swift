import Diagnostics

/// JSON Lines: one object a line; blank lines are passed over, and a broken one costs only itself.
struct JSONLineRecords {
  private var window: TextWindow
  private let limits: DocumentLimits

  init(_ window: TextWindow, limits: DocumentLimits) {
    self.window = window
    self.limits = limits
  }

  mutating func next() throws(ReadFailure) -> RecordReader.Finding? {
    while let line = try nextLine() {
      let place = window.place
      let finding = read(line, at: place)
      var after = TextPlace(line: place.position.line + 1)
      if line.next == line.range.upperBound { after = place }
      window.drop(to: line.next, at: after)
      if let finding { return finding }
    }
    return nil
  }

  private struct Line {
    /// Without its end.
    let range: Range<Int>
    let next: Int
  }

  private mutating func nextLine() throws(ReadFailure) -> Line? {
    while true {
      if let line = lineInWindow() { return line }
      if window.bytes.count - window.start > limits.recordBytes {
        throw .document(.recordTooLong(limits, file: window.file, at: window.place.position))
      }
      if window.isComplete {
        let rest = window.start..<window.bytes.count
        return rest.isEmpty ? nil : Line(range: rest, next: rest.upperBound)
      }
      _ = try window.grow()
    }
  }

  private func lineInWindow() -> Line? {
    let bytes = window.bytes
    let limit = min(bytes.count, window.start + limits.recordBytes)
    var index = window.start
    while index < limit {
      if bytes[index] == Byte.newline {
        return Line(range: window.start..<index, next: index + 1)
      }
      if bytes[index] == Byte.carriageReturn {
        // Whether a line feed belongs to it can be seen only when the next byte is there.
        guard index + 1 < bytes.count || window.isComplete else { return nil }
        let hasFeed = index + 1 < bytes.count && bytes[index + 1] == Byte.newline
        return Line(range: window.start..<index, next: index + (hasFeed ? 2 : 1))
      }
      index += 1
    }
    return nil
  }

  private func read(_ line: Line, at place: TextPlace) -> RecordReader.Finding? {
    var parser = JSONParser(
      window.bytes, in: line.range, at: place, file: window.file, limits: limits,
      nodeLimit: limits.recordNodes, endName: "the end of the line")
    parser.skipSpace()
    guard parser.offset < parser.end else { return nil }
    let start = parser.position
    do throws(Diagnostic) {
      let node = try parser.wholeText()
      return .init(record: node, problems: parser.log.problems, file: window.file)
    } catch {
      return .broken(error, at: start)
    }
  }
}

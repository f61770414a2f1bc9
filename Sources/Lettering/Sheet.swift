/// How much of each pixel is covered by letters: 0…255, row by row.
package struct Sheet: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var coverage: [UInt8]

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
    coverage = [UInt8](repeating: 0, count: width * height)
  }

  /// Adds a part; what two glyphs both cover is counted as if they lay there by chance.
  mutating func add(_ part: [UInt8], columns: Range<Int>, top: Int) {
    let stride = self.width
    var target = coverage.mutableSpan
    let source = part.span
    let width = columns.count
    for row in 0..<part.count / width {
      let from = row &* width
      let to = (top &+ row) &* stride &+ columns.lowerBound
      for column in 0..<width {
        let below = Int(target[to &+ column])
        let above = Int(source[from &+ column])
        target[to &+ column] = UInt8(below &+ above &- (below &* above &+ 127) / 255)
      }
    }
  }
}

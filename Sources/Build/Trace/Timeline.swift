/// How busy one lane of the queue was, in columns of equal width.
///
/// However long a build is, there are no more columns than `limit`: when time runs past the last
/// one, every two become one of twice the width.
package struct Timeline: Sendable, Hashable {
  package static let limit = 300

  /// Nanoseconds; a millisecond doubled again and again.
  package private(set) var columnWidth = 1_000_000
  /// Nanoseconds busy, by column and kind.
  private var work: [Int] = []

  private static let kinds = WorkKind.allCases.count

  package init() {}

  /// How many columns there are; later ones are idle.
  package var count: Int { work.count / Self.kinds }

  /// Adds work that was done from one moment to a later one, in nanoseconds.
  package mutating func add(_ kind: WorkKind, from start: Int, to end: Int) {
    guard start >= 0, end > start else { return }
    while (end - 1) / columnWidth >= Self.limit { fold() }
    let last = (end - 1) / columnWidth
    if last >= count {
      work += Array(repeating: 0, count: (last + 1 - count) * Self.kinds)
    }
    for column in start / columnWidth...last {
      let from = max(start, column * columnWidth)
      let to = min(end, (column + 1) * columnWidth)
      work[column * Self.kinds + kind.rawValue] += to - from
    }
  }

  /// Makes one of every two columns.
  package mutating func fold() {
    var folded = Array(repeating: 0, count: (count + 1) / 2 * Self.kinds)
    for column in 0..<count {
      for kind in 0..<Self.kinds {
        folded[column / 2 * Self.kinds + kind] += work[column * Self.kinds + kind]
      }
    }
    work = folded
    columnWidth *= 2
  }

  /// Nanoseconds, of all columns.
  package func busy(_ kind: WorkKind) -> Int {
    stride(from: kind.rawValue, to: work.count, by: Self.kinds).reduce(0) { $0 + work[$1] }
  }

  /// Nanoseconds, of all kinds.
  package var busy: Int { work.reduce(0, +) }

  /// Neighbouring columns with one kind of work and about the same share of busy time.
  package struct Segment: Sendable, Hashable {
    package var kind: WorkKind
    /// Busy quarters of the time, 1 to 4.
    package var level: Int
    package var columns: Range<Int>
  }

  /// What is drawn: each column has the kind that took most of it; idle columns are left out.
  package var segments: [Segment] {
    var segments: [Segment] = []
    for column in 0..<count {
      let columnWork = work[column * Self.kinds..<(column + 1) * Self.kinds]
      let total = columnWork.reduce(0, +)
      guard total > 0, let most = columnWork.max(), let index = columnWork.firstIndex(of: most),
        let kind = WorkKind(rawValue: index - columnWork.startIndex)
      else { continue }
      // Nearly full is full: two moments of taking the next item lie in each column.
      let level = min(max((total * 4 + columnWidth / 2) / columnWidth, 1), 4)
      if let last = segments.last, last.columns.upperBound == column, last.kind == kind,
        last.level == level
      {
        segments[segments.count - 1].columns = last.columns.lowerBound..<column + 1
      } else {
        segments.append(Segment(kind: kind, level: level, columns: column..<column + 1))
      }
    }
    return segments
  }
}

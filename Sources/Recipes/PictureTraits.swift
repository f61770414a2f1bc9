import Bytes

package struct PictureTraits: Hashable, Sendable {
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let noFaceFound = Flags(rawValue: 4)
    /// A drawing has letters, which are not drawn.
    package static let textIgnored = Flags(rawValue: 8)
    /// The file ends early, and a part of the picture is missing.
    package static let truncated = Flags(rawValue: 16)
    static let all: Flags = [.noFaceFound, .textIgnored, .truncated]
  }

  /// Where brightness falls from each of eight parts of a row to the next, and likewise of a column.
  package var rows: UInt64
  package var columns: UInt64
  /// The mean, on white.
  package var mean: Color
  package var flags: Flags

  package init(rows: UInt64, columns: UInt64, mean: Color, flags: Flags = []) {
    (self.rows, self.columns, self.mean, self.flags) = (rows, columns, mean, flags)
  }

  /// Bits in which the hashes of one picture may differ after it was saved or scaled again.
  package static let tolerance = 7

  /// Whether both were most likely made of one picture.
  package func isNear(_ other: PictureTraits) -> Bool {
    isDistinctive && other.isDistinctive
      && (rows ^ other.rows).nonzeroBitCount + (columns ^ other.columns).nonzeroBitCount
        <= Self.tolerance
      && zip(mean.channels, other.mean.channels).allSatisfy { abs(Int($0) - Int($1)) <= 12 }
  }

  /// Whether there is enough in the picture to know it again.
  package var isDistinctive: Bool {
    rows.nonzeroBitCount >= 4 && columns.nonzeroBitCount >= 4
  }
}

extension Color {
  fileprivate var channels: [UInt8] { [red, green, blue] }
}

import Bytes

package struct PictureTraits: Hashable, Sendable {
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let noFaceFound = Flags(rawValue: 4)
    /// The SVG contains text, which is not rendered.
    package static let textIgnored = Flags(rawValue: 8)
    /// The file is truncated, and part of the picture is missing.
    package static let truncated = Flags(rawValue: 16)
    static let all: Flags = [.noFaceFound, .textIgnored, .truncated]
  }

  /// Difference hashes of the brightness, along rows and along columns.
  package var rows: UInt64
  package var columns: UInt64
  /// The mean colour of the picture on a white background.
  package var mean: Color
  package var flags: Flags

  package init(rows: UInt64, columns: UInt64, mean: Color, flags: Flags = []) {
    (self.rows, self.columns, self.mean, self.flags) = (rows, columns, mean, flags)
  }

  /// The maximum Hamming distance between the hashes of a picture and a resaved or rescaled copy.
  package static let tolerance = 7

  package func isNear(_ other: PictureTraits) -> Bool {
    isDistinctive && other.isDistinctive
      && (rows ^ other.rows).nonzeroBitCount + (columns ^ other.columns).nonzeroBitCount
        <= Self.tolerance
      && zip(mean.channels, other.mean.channels).allSatisfy { abs(Int($0) - Int($1)) <= 12 }
  }

  package var isDistinctive: Bool {
    rows.nonzeroBitCount >= 4 && columns.nonzeroBitCount >= 4
  }
}

extension Color {
  fileprivate var channels: [UInt8] { [red, green, blue] }
}

import Foundation
import Recipes
import Samples
import Testing

struct OrientationTests {
  /// Pixels that differ, as rows of numbers.
  private static let upright = [[1, 2, 3], [4, 5, 6]]

  private static func drawing(_ rows: [[Int]]) -> Drawing {
    Drawing(
      bytes: Data(rows.joined().flatMap { [UInt8($0), 0, 0, 255] }),
      size: PixelSize(width: rows[0].count, height: rows.count))
  }

  /// A viewer's way back, step by step from the words of the EXIF specification.
  private static func shown(_ rows: [[Int]], _ orientation: Orientation) -> [[Int]] {
    func mirrored(_ rows: [[Int]]) -> [[Int]] { rows.map { $0.reversed() } }
    func clockwise(_ rows: [[Int]]) -> [[Int]] {
      rows[0].indices.map { column in rows.reversed().map { $0[column] } }
    }
    return switch orientation {
    case .upright: rows
    case .mirrored: mirrored(rows)
    case .upsideDown: rows.reversed().map { $0.reversed() }
    case .mirroredUpsideDown: rows.reversed()
    case .transposed: mirrored(clockwise(rows))
    case .quarterTurn: clockwise(rows)
    case .transversed: clockwise(mirrored(rows))
    case .threeQuarterTurn: clockwise(clockwise(clockwise(rows)))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a viewer who obeys sees the picture upright`(orientation: Orientation) {
    let stored = Self.drawing(Self.upright).stored(in: orientation)
    let width = stored.size.width
    let values = stride(from: 0, to: stored.bytes.count, by: 4).map { Int(stored.bytes[$0]) }
    let rows = stride(from: 0, to: values.count, by: width).map { Array(values[$0..<$0 + width]) }
    #expect(Self.shown(rows, orientation) == Self.upright)
  }

  @Test func `the mark is one block of EXIF after the start of the file`() {
    let marked = Orientation.quarterTurn.marked(jpeg: Data([0xFF, 0xD8, 0xFF, 0xD9]))
    #expect(Array(marked.prefix(4)) == [0xFF, 0xD8, 0xFF, 0xE1])
    let length = Int(marked[4]) << 8 | Int(marked[5])
    #expect(Array(marked.dropFirst(4 + length)) == [0xFF, 0xD9])
    #expect(Array(marked[6..<12]) == Array("Exif\0\0".utf8))
  }
}

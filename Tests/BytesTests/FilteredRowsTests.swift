import Bytes
import Testing

/// Checks each filter, and how filters are chosen, against the text of the PNG standard.
struct FilteredRowsTests {
  private static let channels: [(FilteredRows.Channels, [Int])] = [
    (.gray, [0]), (.rgb, [0, 1, 2]), (.grayAlpha, [2, 3]), (.rgba, [0, 1, 2, 3]),
  ]

  /// Returns rows that each favour a different filter; the rows are grey if `isGray`.
  private static func picture(width: Int, height: Int, isGray: Bool) -> [UInt8] {
    var state: UInt32 = 3
    var above = [UInt8](repeating: 0, count: width * 4)
    var pixels: [UInt8] = []
    for y in 0..<height {
      var row: [UInt8] = []
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = UInt8(state >> 24)
        for channel in 0..<4 {
          let here = isGray && channel < 3 ? 0 : channel
          let left = x > 0 ? Int(row[x * 4 - 4 + here]) : 0
          let up = Int(above[x * 4 + here])
          let corner = x > 0 ? Int(above[x * 4 - 4 + here]) : 0
          let value =
            switch y % 6 {
            // Noise around zero, the left pixel, the pixel above or their mean; then plain noise,
            // and noise around Paeth's prediction, which only the Paeth filter can predict.
            case 0: Int(noise & 7)
            case 1: left + 40 + Int(noise & 1)
            case 2: up + Int(noise & 3)
            case 3: (left + up) / 2 + 90
            case 4: Int(noise) &* (here + 1)
            default: paeth(left, up, corner) + Int(noise & 1)
            }
          row.append(UInt8(truncatingIfNeeded: value))
        }
      }
      above = row
      pixels += row
    }
    return pixels
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 63, 64, 80, 81, 255, 1_030])
  func `filtered rows match a reference implementation`(width: Int) {
    let height = 24
    for (channels, kept) in Self.channels {
      let isGray = kept.count < 3
      let pixels = Self.picture(width: width, height: height, isGray: isGray)
      let rows = stride(from: 0, to: pixels.count, by: width * 4).map { start in
        stride(from: start, to: start + width * 4, by: 4).flatMap { at in
          kept.map { pixels[at + $0] }
        }
      }
      let filtered = FilteredRows(rgba: pixels, width: width, keeping: channels).bytes
      #expect(filtered == Self.filtered(rows, distance: kept.count), "\(channels) \(width)")
    }
  }

  @Test func `every filter is used`() {
    for (channels, kept) in Self.channels {
      let pixels = Self.picture(width: 100, height: 60, isGray: kept.count < 3)
      let bytes = FilteredRows(rgba: pixels, width: 100, keeping: channels).bytes
      let filters = stride(from: 0, to: bytes.count, by: 100 * kept.count + 1).map { bytes[$0] }
      #expect(Set(filters) == [0, 1, 2, 3, 4], "\(channels)")
    }
  }

  private static func filtered(_ rows: [[UInt8]], distance: Int) -> [UInt8] {
    var above = [UInt8](repeating: 0, count: rows[0].count)
    var result: [UInt8] = []
    for row in rows {
      let candidates = (0..<5).map { filter in
        row.indices.map { at in
          let left = at >= distance ? Int(row[at - distance]) : 0
          let up = Int(above[at])
          let corner = at >= distance ? Int(above[at - distance]) : 0
          let guess =
            switch filter {
            case 0: 0
            case 1: left
            case 2: up
            case 3: (left + up) / 2
            default: paeth(left, up, corner)
            }
          return row[at] &- UInt8(guess)
        }
      }
      let costs = candidates.map { bytes in
        bytes.reduce(0) { $0 + min(Int($1), 256 - Int($1), 16) }
      }
      let best = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
      result.append(UInt8(best))
      result += candidates[best]
      above = row
    }
    return result
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let estimate = left + up - corner
    let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
    return a <= b && a <= c ? left : b <= c ? up : corner
  }
}

package import Foundation
package import Recipes

/// Raw pixels: RGBA, 8 bits a channel, straight alpha, row by row.
package struct Drawing: Hashable, Sendable {
  package var bytes: Data
  package var size: PixelSize

  package init(bytes: Data, size: PixelSize) {
    precondition(bytes.count == size.width * size.height * 4, "four bytes a pixel")
    self.bytes = bytes
    self.size = size
  }
}

extension Drawing {
  /// The pixels as a camera stores them that was held in this orientation: a viewer who obeys
  /// the EXIF number sees the drawing upright again.
  package func stored(in orientation: Orientation) -> Drawing {
    guard orientation != .upright else { return self }
    let (width, height) = (size.width, size.height)
    let isTurned = orientation.swapsSides
    let stored = isTurned ? PixelSize(width: height, height: width) : size
    let pixels = [UInt8](bytes)
    var turned = [UInt8](repeating: 0, count: pixels.count)
    for y in 0..<height {
      for x in 0..<width {
        let (column, row) = orientation.stored(x: x, y: y, in: size)
        let (from, to) = ((y * width + x) * 4, (row * stored.width + column) * 4)
        for channel in 0..<4 { turned[to + channel] = pixels[from + channel] }
      }
    }
    return Drawing(bytes: Data(turned), size: stored)
  }

  /// A large picture made from a smaller drawing: smoothly enlarged, with the fine grain of a
  /// photograph, so that files and decoding times are those of photographs.
  package func enlarged(to target: PixelSize, seed: UInt64) -> Drawing {
    guard target != size else { return self }
    let pixels = [UInt8](bytes)
    let grain = Grain(seed: seed)
    let columns = Self.steps(from: size.width, to: target.width)
    let rows = Self.steps(from: size.height, to: target.height)
    var enlarged = [UInt8](repeating: 0, count: target.width * target.height * 4)
    var to = 0
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() {
        let upper = (row.first * size.width + column.first) * 4
        let lower = (row.second * size.width + column.first) * 4
        let across = (column.second - column.first) * 4
        let noise = grain[x, y]
        for channel in 0..<4 {
          let top =
            Int(pixels[upper + channel]) * (256 - column.share)
            + Int(pixels[upper + across + channel]) * column.share
          let bottom =
            Int(pixels[lower + channel]) * (256 - column.share)
            + Int(pixels[lower + across + channel]) * column.share
          let value = (top * (256 - row.share) + bottom * row.share) &>> 16
          enlarged[to + channel] = UInt8(min(max(channel == 3 ? value : value + noise, 0), 255))
        }
        to += 4
      }
    }
    return Drawing(bytes: Data(enlarged), size: target)
  }

  /// For each new pixel: the two old ones that it lies between, and the second one's 256ths.
  private static func steps(
    from old: Int, to new: Int
  ) -> [(first: Int, second: Int, share: Int)] {
    (0..<new).map { index in
      let place = (Double(index) + 0.5) * Double(old) / Double(new) - 0.5
      let clamped = min(max(place, 0), Double(old - 1))
      let first = Int(clamped)
      return (first, min(first + 1, old - 1), Int((clamped - Double(first)) * 256))
    }
  }
}

/// A tile of soft noise, -4…4.
private struct Grain {
  private static let side = 256
  private let values: [Int]

  init(seed: UInt64) {
    var lots = RandomStream(seed: seed, stream: 9)
    let side = Self.side
    let raw = (0..<side * side).map { _ in Int(lots.next() & 15) }
    values = raw.indices.map { index in
      let right = raw[index / side * side + (index + 1) % side]
      let below = raw[(index + side) % (side * side)]
      return (raw[index] * 2 + right + below - 30) / 7
    }
  }

  subscript(x: Int, y: Int) -> Int {
    values[(y & (Self.side - 1)) * Self.side + (x & (Self.side - 1))]
  }
}

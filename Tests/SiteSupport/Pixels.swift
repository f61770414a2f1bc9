import Magick

/// Decoded pixels as RGBA with straight alpha.
package struct Pixels: Hashable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  package init(png: Data) throws {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
    let canvas = try Canvas(decoding: png, coder: "PNG")
    width = canvas.width
    height = canvas.height
    bytes = try canvas.rgba()
  }

  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(bytes[start..<start + 4])
  }

  /// Scales a nine-slice: keeps the corners, and repeats the middle pixel of each side.
  package func stretched(cap: Int, to size: PixelSize) -> [UInt8] {
    func source(_ index: Int, of length: Int) -> Int {
      if index < cap { return index }
      let fromEnd = length - 1 - index
      return fromEnd < cap ? 2 * cap - fromEnd : cap
    }
    var stretched: [UInt8] = []
    stretched.reserveCapacity(size.width * size.height * 4)
    for y in 0..<size.height {
      let row = source(y, of: size.height) * width
      for x in 0..<size.width {
        let start = (row + source(x, of: size.width)) * 4
        stretched += bytes[start..<start + 4]
      }
    }
    return stretched
  }

  /// Returns the largest colour difference between opaque pixels and others on a background.
  package func worstDifference(from others: Pixels, on background: [UInt8]) -> Double {
    var worst = 0.0
    for start in stride(from: 0, to: others.bytes.count, by: 4) {
      let alpha = Double(others.bytes[start + 3]) / 255
      for channel in 0..<3 {
        let wanted =
          Double(others.bytes[start + channel]) * alpha + Double(background[channel]) * (1 - alpha)
        worst = max(worst, abs(wanted - Double(bytes[start + channel])))
      }
    }
    return worst
  }

  package var center: [UInt8] { self[width / 2, height / 2] }

  package var alphas: [UInt8] { stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }

  /// The left edge of a placeholder drawn by `gallery.js`.
  ///
  /// A placeholder has three stripes of equal height; rows in a stripe differ only by dithering.
  package var placeholder: (x: Int, y: Int)? {
    func difference(_ x: Int, _ y: Int, _ otherX: Int, _ otherY: Int) -> Int {
      let (one, other) = ((y * width + x) * 4, (otherY * width + otherX) * 4)
      return (0..<3).reduce(0) { max($0, abs(Int(bytes[one + $1]) - Int(bytes[other + $1]))) }
    }
    let stripe = 4
    for y in 1..<max(1, height - 3 * stripe) {
      places: for x in 1..<max(1, width - 3) {
        for row in 0...3 * stripe {
          let isEdge = row % stripe == 0
          let change = (x..<x + 4).reduce(0) { max($0, difference($1, y + row, $1, y + row - 1)) }
          guard isEdge ? change >= 4 : change <= 1 else { continue places }
          if row < 3 * stripe {
            guard difference(x, y + row, x - 1, y + row) >= 3 else { continue places }
            guard row == 0 || difference(x - 1, y + row, x - 1, y + row - 1) == 0 else {
              continue places
            }
          }
        }
        return (x, y)
      }
    }
    return nil
  }
}

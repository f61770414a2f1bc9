import Foundation
import Recipes

/// An encoder for Evan Wallace's ThumbHash, which describes a picture in up to 25 bytes.
///
/// Lightness (L), yellow–blue (P), red–green (Q) and alpha (A) are encoded as the first terms of a
/// cosine transform: a constant, a scale, and 4-bit fractions of that scale for the other terms.
/// Sums are computed in the same order as in the reference implementation, because a term near 0 is
/// halfway between two steps and the last bit of its sum determines the rounding.
enum ThumbHash {
  /// The maximum number of pixels per side; more would not add detail.
  static let largestSide = 100

  static func bytes(of raster: Raster) -> [UInt8] {
    let (width, height) = (raster.size.width, raster.size.height)
    precondition(max(width, height) <= largestSide, "only thumbnails can be hashed")
    let planes = Planes(raster)
    let waves = Waves(raster.size)
    // An alpha channel leaves fewer bytes for lightness.
    let terms = planes.hasAlpha ? 5.0 : 7.0
    let longer = Double(max(width, height))
    let across = max(1, Int((terms * Double(width) / longer).rounded()))
    let down = max(1, Int((terms * Double(height) / longer).rounded()))
    let light = waves.spectrum(of: planes.light, max(3, across), max(3, down))
    let blue = waves.spectrum(of: planes.yellowness, 3, 3)
    let green = waves.spectrum(of: planes.redness, 3, 3)
    let alpha = planes.hasAlpha ? waves.spectrum(of: planes.alpha, 5, 5) : nil

    let isWide = width > height
    let constants =
      steps(light.constant, 63) | steps(blue.constant, 31.5, above: 31.5) << 6
      | steps(green.constant, 31.5, above: 31.5) << 12 | steps(light.scale, 31) << 18
      | (planes.hasAlpha ? 1 << 23 : 0)
    let scales =
      (isWide ? down : across) | steps(blue.scale, 63) << 3
      | steps(green.scale, 63) << 9 | (isWide ? 1 << 15 : 0)
    var bytes = [constants, constants >> 8, constants >> 16, scales, scales >> 8].map {
      UInt8($0 & 255)
    }
    if let alpha { bytes.append(UInt8(steps(alpha.constant, 15) | steps(alpha.scale, 15) << 4)) }
    let details = [light, blue, green, alpha].compactMap(\.?.details).joined()
    var isLow = true
    for detail in details {
      let step = UInt8(steps(detail, 15))
      if isLow { bytes.append(step) } else { bytes[bytes.count - 1] |= step << 4 }
      isLow.toggle()
    }
    return bytes
  }

  /// Quantizes a fraction to `count` steps; halves are rounded up.
  private static func steps(_ fraction: Double, _ count: Double, above start: Double = 0) -> Int {
    Int((start + count * fraction + 0.5).rounded(.down))
  }

  /// The channels, with values 0…1 or −1…1; transparent pixels have the mean colour.
  private struct Planes {
    var light: [Double] = []
    var yellowness: [Double] = []
    var redness: [Double] = []
    var alpha: [Double] = []
    let hasAlpha: Bool

    init(_ raster: Raster) {
      let pixels = raster.bytes.span
      var mean = SIMD3<Double>.zero
      var weight = 0.0
      for at in stride(from: 0, to: pixels.count, by: 4) {
        let alpha = Double(pixels[at + 3]) / 255
        mean += alpha / 255 * Self.color(pixels, at)
        weight += alpha
      }
      if weight > 0 { mean /= weight }
      hasAlpha = !raster.isOpaque
      for at in stride(from: 0, to: pixels.count, by: 4) {
        let opacity = Double(pixels[at + 3]) / 255
        let color = mean * (1 - opacity) + opacity / 255 * Self.color(pixels, at)
        light.append((color.x + color.y + color.z) / 3)
        yellowness.append((color.x + color.y) / 2 - color.z)
        redness.append(color.x - color.y)
        alpha.append(opacity)
      }
    }

    private static func color(_ pixels: borrowing Span<UInt8>, _ at: Int) -> SIMD3<Double> {
      SIMD3(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
    }
  }

  private struct Spectrum {
    var constant = 0.0
    /// The largest absolute value of the terms other than `constant`.
    var scale = 0.0
    /// All terms except `constant`, mapped from ±`scale` to 0…1; all 0 in a flat channel.
    var details: [Double] = []
  }

  private struct Waves {
    private let width: Int
    private let height: Int
    private let across: [[Double]]
    /// The cosines of all seven waves at each vertical position.
    private let down: [SIMD8<Double>]

    init(_ size: PixelSize) {
      width = size.width
      height = size.height
      across = Self.cosines(size.width)
      let waves = Self.cosines(size.height)
      down = (0..<size.height).map { y in
        SIMD8(
          waves[0][y], waves[1][y], waves[2][y], waves[3][y], waves[4][y], waves[5][y],
          waves[6][y], 0)
      }
    }

    private static func cosines(_ count: Int) -> [[Double]] {
      (0..<7).map { wave in
        let step = Double.pi / Double(count) * Double(wave)
        return (0..<count).map { cos(step * (Double($0) + 0.5)) }
      }
    }

    private func sums(of channel: [Double], _ wave: [Double]) -> SIMD8<Double> {
      let channel = channel.span
      let wave = wave.span
      var sum = SIMD8<Double>.zero
      var index = 0
      for cosines in down {
        for x in wave.indices {
          sum += channel[index] * wave[x] * cosines
          index &+= 1
        }
      }
      return sum
    }

    /// Returns the coefficients between the origin and the antidiagonal, row by row.
    func spectrum(of channel: [Double], _ columns: Int, _ rows: Int) -> Spectrum {
      let sums = across.prefix(columns).map { self.sums(of: channel, $0) }
      var spectrum = Spectrum()
      for row in 0..<rows {
        for column in 0..<columns where column * rows < columns * (rows - row) {
          let term = sums[column][row] / Double(width * height)
          if row == 0, column == 0 {
            spectrum.constant = term
          } else {
            spectrum.details.append(term)
            spectrum.scale = max(spectrum.scale, abs(term))
          }
        }
      }
      // Ignore rounding errors in a flat channel.
      if spectrum.scale < 1e-9 {
        spectrum.scale = 0
        spectrum.details = spectrum.details.map { _ in 0 }
      } else {
        let factor = 0.5 / spectrum.scale
        spectrum.details = spectrum.details.map { 0.5 + factor * $0 }
      }
      return spectrum
    }
  }
}

import Foundation

/// Which source pixels make each pixel along one side, and with what weight: Lanczos, three lobes.
///
/// Reading a fraction of a pixel is no trouble to it: a window may begin anywhere. That keeps a
/// crop centred at every scale, where whole pixels would shift the picture by up to half of one.
struct Taps {
  /// First source pixel of each target pixel.
  private(set) var starts: [Int] = []
  /// As many weights for each target pixel, which add up to 1; unused ones are 0.
  private(set) var weights: [Float] = []
  let count: Int

  /// - Parameters:
  ///   - start: Where the window begins, in source pixels.
  ///   - length: How long it is; what lies outside still counts where the filter reaches it.
  ///   - limit: Number of source pixels.
  ///   - target: Number of pixels to make.
  init(start: Double, length: Double, limit: Int, target: Int) {
    let step = length / Double(target)
    // Shrinking widens the filter, so that every source pixel has its say.
    let stretch = max(step, 1)
    let reach = 3 * stretch
    count = min(limit, Int((2 * reach).rounded(.up)) + 1)
    starts.reserveCapacity(target)
    weights.reserveCapacity(target * count)
    for index in 0..<target {
      let center = start + (Double(index) + 0.5) * step
      let first = max(0, min(Int((center - reach).rounded(.down)), limit - count))
      let raw = (0..<count).map { tap in
        Self.lanczos((Double(first + tap) + 0.5 - center) / stretch)
      }
      let total = raw.reduce(0, +)
      starts.append(first)
      weights += raw.map { Float($0 / total) }
    }
  }

  /// The source pixels that are read at all.
  var range: Range<Int> {
    (starts.first ?? 0)..<(starts.last ?? 0) + count
  }

  private static func lanczos(_ x: Double) -> Double {
    if x == 0 { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

import Foundation

/// Which source pixels make each pixel along one side, and with what weight: Lanczos, three lobes.
///
/// A window may begin inside a pixel. That keeps a crop centred at every scale; whole pixels would
/// shift it by up to half a pixel.
struct FilterWeights {
  /// Bits behind the point of a weight.
  static let fraction = 14

  /// First pair of source pixels for each target pixel.
  private(set) var starts: [Int] = []
  /// As many pairs of weights for each target pixel, which add up to 1; unused ones are 0.
  ///
  /// The lower half is the weight of the even pixel.
  private(set) var weights: [UInt32] = []
  /// Pairs for each target pixel.
  let count: Int
  private let limit: Int

  /// The window has `length` of `limit` source pixels from `start`; the filter may read outside it.
  init(start: Double, length: Double, limit: Int, target: Int) {
    self.limit = limit
    guard target > 0 else {
      count = 0
      return
    }
    let step = length / Double(target)
    // Shrinking widens the filter, so that every source pixel counts.
    let stretch = max(step, 1)
    let reach = 3 * stretch
    // One more where the first pixel is the second one of its pair.
    count = min(Int((2 * reach).rounded(.up)) + 3, limit + 1) / 2
    starts.reserveCapacity(target)
    weights.reserveCapacity(target * count)
    var lanczos = Lanczos(step: 1 / stretch, count: count * 2)
    for index in 0..<target {
      // A window beyond the edge shows the edge; few weights of small values would add up to nothing.
      let center = min(max(start + (Double(index) + 0.5) * step, 0), Double(limit))
      let first = max(0, min(Int((center - reach).rounded(.down)) / 2, (limit + 1) / 2 - count))
      starts.append(first)
      let inside = min(count * 2, limit - first * 2)
      lanczos.fill(from: (Double(first * 2) + 0.5 - center) / stretch, count: inside)
      append(lanczos.values)
    }
  }

  /// The source pixels that are read at all.
  var range: Range<Int> {
    (starts.first ?? 0) * 2..<min(limit, ((starts.last ?? 0) + count) * 2)
  }

  private mutating func append(_ values: [Double]) {
    let scale = Double(1 << Self.fraction) / values.reduce(0, +)
    // What rounding takes from one weight the next one gets.
    var rest = 0.0
    var lower: UInt32 = 0
    for (index, value) in values.enumerated() {
      let exact = value * scale + rest
      let weight = exact.rounded()
      rest = exact - weight
      let bits = UInt32(UInt16(bitPattern: Int16(weight)))
      if index % 2 == 0 { lower = bits } else { weights.append(lower | bits << 16) }
    }
  }
}

/// Values of the filter at places that lie one step apart.
private struct Lanczos {
  private(set) var values: [Double]
  /// One step, as an angle: half a turn is the end of the third lobe.
  private let turn: Double
  private let sine: Double
  private let cosine: Double

  init(step: Double, count: Int) {
    values = Array(repeating: 0, count: count)
    turn = step * .pi / 3
    (sine, cosine) = (sin(turn), cos(turn))
  }

  /// Sine and cosine of each angle are made of those before: this takes a fifth of the time.
  mutating func fill(from start: Double, count: Int) {
    var angle = start * .pi / 3
    var (s, c) = (sin(angle), cos(angle))
    for index in values.indices {
      let isInside = index < count && abs(angle) < .pi
      // sinc(3a) · sinc(a), where sin(3a) = sin(a) · (3 - 4 sin²(a)).
      values[index] =
        !isInside ? 0 : abs(angle) < 1e-6 ? 1 : s * s * (3 - 4 * s * s) / (3 * angle * angle)
      (s, c) = (s * cosine + c * sine, c * cosine - s * sine)
      angle += turn
    }
  }
}

import Foundation
import Recipes

extension Raster {
  /// Blurs the rows and then the columns, because a Gaussian is separable.
  mutating func blur(radius: Double) {
    guard radius.isFinite, radius >= Filter.smallestBlur else { return }
    let (width, height) = (size.width, size.height)
    // The result of the first pass is transposed, so that both passes read memory in order.
    var columns = [SIMD4<Float>](repeating: .zero, count: width * height)
    let along = GaussianLine(deviation: radius, count: width)
    var line = [SIMD4<Float>](repeating: .zero, count: width)
    for row in 0..<height {
      let pixels = self.bytes.span
      for column in 0..<width {
        line[column] = SIMD4(pixels, at: (row &* width &+ column) &* 4)
      }
      let blurred = along.blurred(line.span)
      for column in 0..<width { columns[column &* height &+ row] = blurred[column] }
    }
    let across = GaussianLine(deviation: radius, count: height)
    var bytes = bytes.mutableSpan
    for column in 0..<width {
      let start = column &* height
      let blurred = across.blurred(columns.span.extracting(start..<start &+ height))
      for row in 0..<height {
        let pixel = blurred[row].straightPixel
        let at = (row &* width &+ column) &* 4
        for channel in 0..<4 { bytes[at &+ channel] = pixel[channel] }
      }
    }
  }
}

/// A Gaussian blur along one line, with the end pixels repeated.
///
/// A wide blur averages pixels in cells and interpolates between the cell centres, so that the cost
/// does not grow with the deviation. A cell is at most a sixth of the deviation wide, which keeps
/// the result within 0.2 out of 255 of the exact blur. `ShadowBlur` is exactly symmetric, but needs
/// several times as many weights.
struct GaussianLine {
  private let count: Int
  private let cell: Int
  /// The weights from the centre outwards; both sides together add up to 1.
  private let weights: [Float]
  /// The position of each pixel between cell centres; empty if cells are single pixels.
  private let positions: [(cell: Int, share: Float)]

  init(deviation: Double, count: Int) {
    self.count = count
    let cell = max(1, Int(min(deviation / 6, 1e6)))
    self.cell = cell
    let side = Double(cell)
    // Averaging and interpolation blur the line too, so subtract their variance.
    let done = cell > 1 ? (side * side - 1) / 12 + side * side / 6 : 0
    let own = ((deviation * deviation - done) / (side * side)).squareRoot()
    // Less than 1/2000 of a Gaussian is beyond this distance.
    let reach = Int((own * 3.5).rounded(.up))
    let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * own * own)) }
    let total = raw.reduce(0, +) * 2 - 1
    weights = raw.map { Float($0 / total) }
    positions =
      cell == 1
      ? []
      : (0..<count).map { pixel in
        let position = (Double(pixel) + 0.5) / side + 0.5
        return (Int(position), Float(position - position.rounded(.down)))
      }
  }

  func blurred(_ line: Span<SIMD4<Float>>) -> [SIMD4<Float>] {
    guard cell > 1 else { return convolved(line) }
    let cells = convolved(means(of: line).span)
    return positions.map { position in
      let low = cells[position.cell]
      return low + (cells[position.cell &+ 1] - low) * position.share
    }
  }

  /// Returns the mean of each cell; an extra cell at each end repeats the end pixel.
  private func means(of line: Span<SIMD4<Float>>) -> [SIMD4<Float>] {
    let last = count - 1
    return (-1...(count + cell - 1) / cell).map { index in
      let start = index * cell
      let inside = max(start, 0)..<max(min(start + cell, count), max(start, 0))
      var sum = SIMD4<Float>.zero
      for pixel in inside { sum += line[pixel] }
      let before = min(max(-start, 0), cell)
      let behind = cell - before - inside.count
      sum += line[0] * Float(before) + line[last] * Float(behind)
      return sum / Float(cell)
    }
  }

  private func convolved(_ line: Span<SIMD4<Float>>) -> [SIMD4<Float>] {
    let reach = weights.count - 1
    let count = line.count
    var long = [SIMD4<Float>](repeating: line[0], count: count + 2 * reach)
    for index in 0..<count { long[index &+ reach] = line[index] }
    for index in 0..<reach { long[index &+ reach &+ count] = line[count &- 1] }
    let source = long.span
    let weights = weights.span
    return (0..<count).map { index in
      let middle = index &+ reach
      var sum = source[middle] * weights[0]
      for tap in 1..<weights.count {
        sum += (source[middle &- tap] + source[middle &+ tap]) * weights[tap]
      }
      return sum
    }
  }
}

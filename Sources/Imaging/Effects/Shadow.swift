import Foundation
import Recipes

extension Shadow {
  /// Paints the shadow behind the existing pixels, clipped to the canvas.
  func apply(to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache) {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let room = Int(max(outset, 0).rounded(.up)) + 1
    let silhouette = masks.mask(
      PlacedOutline(
        layout.outline, of: layout.box, inset: -outset,
        on: PixelSize(width: layout.box.width + 2 * room, height: layout.box.height + 2 * room),
        x: room, y: room, dx: x - left, dy: y - top))
    let shade = ShadowBlur(sigma: radius).shade(
      of: silhouette, on: layout.canvas, x: layout.x - room + Int(left),
      y: layout.y - room + Int(top))
    let paint = Paint(color)
    var pixels = raster.bytes.mutableSpan
    for (index, density) in shade.enumerated() where density > 0 {
      let pixel = index &* 4
      let alpha = Int(pixels[pixel &+ 3])
      guard alpha < 255 else { continue }
      paint.mix(
        into: &pixels, at: pixel, keeping: alpha &* 255 &* ShadowBlur.full,
        adding: (255 &- alpha) &* paint.alpha &* Int(density), scale: 255 &* ShadowBlur.full)
    }
  }
}

/// A Gaussian blur of coverage, cut off at three sigmas.
///
/// Coverage is first averaged in cells that are at most a quarter of the deviation wide, so that
/// each pixel needs only 25 to 50 weights. Averaging over f pixels adds a variance of
/// (f² − 1) / 12, which is subtracted from the Gaussian's variance. Cells are an odd number of
/// pixels wide, and all values are multiples of a power of 2, so that sums and symmetry are exact.
/// Unlike this blur, `GaussianLine` is not exactly symmetric, and it repeats edge pixels.
struct ShadowBlur {
  static let full = 255 * 256

  let sigma: Double

  private var cell: Int {
    let widest = max(1, Int(sigma / 4))
    return widest % 2 == 0 ? widest - 1 : widest
  }

  /// Returns the blurred mask on a canvas, with values up to `full`; x and y are the mask's origin.
  func shade(of mask: Mask, on canvas: PixelSize, x: Int, y: Int) -> [UInt16] {
    let across = Side(sigma, cell, length: mask.size.width, start: x, target: canvas.width)
    let down = Side(sigma, cell, length: mask.size.height, start: y, target: canvas.height)
    let rows = downscaled(mask, across, down).map { across.weighed($0) }
    var result: [UInt16] = []
    result.reserveCapacity(canvas.width * canvas.height)
    for kernel in down.kernels {
      var sums = [Double](repeating: 0, count: canvas.width)
      for (offset, weight) in kernel.weights.enumerated() {
        Self.add(rows[kernel.first + offset], times: weight, to: &sums)
      }
      for sum in sums { result.append(UInt16(min(sum * 256 + 0.5, Double(Self.full)))) }
    }
    return result
  }

  private static func add(_ row: [Double], times weight: Double, to sums: inout [Double]) {
    let row = row.span
    var sums = sums.mutableSpan
    for column in row.indices where column < sums.count { sums[column] += row[column] * weight }
  }

  private func downscaled(_ mask: Mask, _ across: Side, _ down: Side) -> [[Double]] {
    var cells: [[Double]] = []
    cells.reserveCapacity(down.count)
    let coverage = mask.coverage.span
    let area = Double(cell * cell)
    var sums = [Int](repeating: 0, count: across.count)
    for row in 0..<down.count {
      for index in sums.indices { sums[index] = 0 }
      let start = row * cell - down.lead
      for y in max(start, 0)..<min(start + cell, mask.size.height) {
        for x in 0..<mask.size.width {
          sums[(x &+ across.lead) / cell] &+= Int(coverage[y &* mask.size.width &+ x])
        }
      }
      cells.append(sums.map { (Double($0) * 256 / area).rounded() / 256 })
    }
    return cells
  }

  private struct Kernel {
    let first: Int
    let weights: [Double]
  }

  private struct Side {
    let count: Int
    /// The number of empty pixels in the first cell and in the last cell.
    let lead: Int
    private(set) var kernels: [Kernel] = []

    init(_ sigma: Double, _ cell: Int, length: Int, start: Int, target: Int) {
      let enough = (length + cell - 1) / cell
      count = enough + (enough * cell - length) % 2
      lead = (count * cell - length) / 2
      kernels.reserveCapacity(target)
      for pixel in 0..<target {
        kernels.append(
          sigma >= Shadow.smallestRadius
            ? kernel(at: Double(pixel - start + lead) + 0.5, sigma, Double(cell))
            : sharp(at: pixel - start + lead))
      }
    }

    /// Returns the kernel for a position, in pixels from the edge of the first cell.
    private func kernel(at position: Double, _ sigma: Double, _ cell: Double) -> Kernel {
      let variance = sigma * sigma - (cell * cell - 1) / 12
      let first = Int(((position - 3 * sigma) / cell - 0.5).rounded(.up))
      let last = Int(((position + 3 * sigma) / cell - 0.5).rounded(.down))
      guard first <= last else { return sharp(at: Int(position.rounded(.down))) }
      var weights: [Double] = []
      for index in first...last {
        let distance = (Double(index) + 0.5) * cell - position
        weights.append(exp(-distance * distance / (2 * variance)))
      }
      let total = weights.reduce(0, +)
      let inside = max(first, 0)..<max(first, 0, min(last + 1, count))
      return Kernel(
        first: inside.lowerBound,
        weights: inside.map { (weights[$0 - first] / total * 65536).rounded() / 65536 })
    }

    private func sharp(at index: Int) -> Kernel {
      (0..<count).contains(index)
        ? Kernel(first: index, weights: [1]) : Kernel(first: 0, weights: [])
    }

    func weighed(_ cells: [Double]) -> [Double] {
      kernels.map { kernel in
        kernel.weights.indices.reduce(0) { $0 + cells[kernel.first + $1] * kernel.weights[$1] }
      }
    }
  }
}

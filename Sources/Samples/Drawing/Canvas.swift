import Foundation
import Recipes

/// A drawing board over pixels.
struct Canvas {
  let size: PixelSize
  var placement: Placement
  /// Premultiplied, 0…1.
  private var pixels: [SIMD4<Float>]

  init(size: PixelSize, placement: Placement = .identity) {
    self.size = size
    self.placement = placement
    pixels = [SIMD4<Float>](repeating: .zero, count: size.width * size.height)
  }

  func coverage(of path: Path, on other: Placement? = nil) -> Coverage {
    Coverage(of: path, on: other ?? placement, width: size.width, height: size.height)
  }

  mutating func fill(_ path: Path, _ paint: Paint, inside clip: Coverage? = nil) {
    let coverage = coverage(of: path)
    fill(clip.map { coverage.clipped(to: $0) } ?? coverage, paint)
  }

  mutating func fill(_ path: Path, _ tint: Tint, inside clip: Coverage? = nil) {
    fill(path, .flat(tint), inside: clip)
  }

  /// A flat shadow of the path, moved aside, on what the clip covers.
  mutating func shade(_ path: Path, moved offset: Point, _ tint: Tint, inside clip: Coverage) {
    let moved = coverage(of: path, on: placement.moved(by: offset))
    fill(moved.clipped(to: clip), .flat(tint))
  }

  mutating func fill(_ coverage: Coverage, _ paint: Paint) {
    guard coverage.width > 0 else { return }
    let shader = Shader(paint, on: placement)
    for row in 0..<coverage.height {
      let y = coverage.top + row
      let start = y * size.width + coverage.left
      for column in 0..<coverage.width {
        let share = coverage.values[row * coverage.width + column]
        guard share > 0.002 else { continue }
        let source = shader.color(x: coverage.left + column, y: y) * share
        pixels[start + column] = source + pixels[start + column] * (1 - source.w)
      }
    }
  }

  func drawing(isGrey: Bool = false) -> Drawing {
    var bytes = [UInt8](repeating: 0, count: pixels.count * 4)
    for index in pixels.indices {
      var pixel = pixels[index]
      let alpha = pixel.w
      guard alpha > 0.001 else { continue }
      pixel /= alpha
      if isGrey {
        let luma = pixel.x * 0.299 + pixel.y * 0.587 + pixel.z * 0.114
        pixel = SIMD4(luma, luma, luma, 1)
      }
      pixel.w = alpha
      let rounded = (pixel * 255).rounded(.toNearestOrAwayFromZero)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      bytes[index * 4] = UInt8(rounded.x)
      bytes[index * 4 + 1] = UInt8(rounded.y)
      bytes[index * 4 + 2] = UInt8(rounded.z)
      bytes[index * 4 + 3] = UInt8(rounded.w)
    }
    return Drawing(bytes: Data(bytes), size: size)
  }
}

/// A paint, ready to be asked for the colour of each pixel.
private struct Shader {
  private enum Kind {
    case flat
    case linear(origin: SIMD2<Float>, direction: SIMD2<Float>)
    case radial(center: SIMD2<Float>, scale: Float)
  }

  private let kind: Kind
  private let start: SIMD4<Float>
  private let difference: SIMD4<Float>

  init(_ paint: Paint, on placement: Placement) {
    func pixel(_ point: Point) -> SIMD2<Float> {
      let placed = placement(point)
      return SIMD2(Float(placed.x), Float(placed.y))
    }
    switch paint {
    case .flat(let tint):
      kind = .flat
      start = tint.premultiplied
      difference = .zero
    case .linear(let from, let first, let to, let second):
      let along = pixel(to) - pixel(from)
      kind = .linear(
        origin: pixel(from), direction: along / max((along * along).sum(), 1e-6))
      start = first.premultiplied
      difference = second.premultiplied - first.premultiplied
    case .radial(let center, let radius, let inner, let outer):
      kind = .radial(center: pixel(center), scale: Float(1 / (radius * placement.scale)))
      start = inner.premultiplied
      difference = outer.premultiplied - inner.premultiplied
    }
  }

  func color(x: Int, y: Int) -> SIMD4<Float> {
    let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
    switch kind {
    case .flat:
      return start
    case .linear(let origin, let direction):
      let t = ((point - origin) * direction).sum()
      return start + difference * min(max(t, 0), 1)
    case .radial(let center, let scale):
      let offset = point - center
      let t = min((offset * offset).sum().squareRoot() * scale, 1)
      // Eased, so that a glow has no visible rim.
      return start + difference * (t * t * (3 - 2 * t))
    }
  }
}

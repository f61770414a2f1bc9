import Foundation
import Imaging
import Magick
import Recipes
import Testing

enum ImageMagick {
  static func start() throws {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
  }
}

extension Color {
  /// Returns the CIEDE2000 difference on a page: 0 for equal colours, 100 for black and white.
  func difference(from other: Color, on page: Color = .white) -> Double {
    LabColor(over(page)).difference(from: LabColor(other.over(page)))
  }

  static let sky = Color(red: 0x33, green: 0x66, blue: 0xCC)
  static let ruby = Color(red: 255, green: 0, blue: 0)
  static let lime = Color(red: 0, green: 255, blue: 0)
}

extension Mask {
  /// Creates the outline of a box, inset by `inset` pixels on every side.
  init(_ outline: Outline, size: PixelSize, inset: Double = 0) {
    self.init(CanvasLayout(box: size, outline: outline), inset: inset)
  }
}

/// Decoded pixels for checks: RGBA with straight alpha.
struct Pixels: Hashable {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int, paint: (_ x: Int, _ y: Int) -> [UInt8]) {
    self.width = width
    self.height = height
    bytes = (0..<width * height).flatMap { paint($0 % width, $0 / width) }
  }

  init(_ image: RenderedImage, as format: OutputFormat = .png) throws {
    try ImageMagick.start()
    let canvas = try Canvas(decoding: image.bytes, coder: format.rawValue.uppercased())
    width = canvas.width
    height = canvas.height
    bytes = try canvas.rgba()
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4])
  }

  func alpha(_ x: Int, _ y: Int) -> Int { Int(bytes[(y * width + x) * 4 + 3]) }

  var alphas: [Int] { stride(from: 3, to: bytes.count, by: 4).map { Int(bytes[$0]) } }

  var size: PixelSize { PixelSize(width: width, height: height) }

  func difference(to other: Pixels) -> Int {
    guard size == other.size else { return 256 }
    return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  func picture() throws -> Picture {
    try ImageMagick.start()
    return try Picture(.raster(size), Data(bytes))
  }

  func encoded(as coder: String, quality: Int? = nil) throws -> Data {
    try ImageMagick.start()
    return try Canvas(rgba: bytes.span, width: width, height: height)
      .encoded(as: coder, quality: quality)
  }

  static func solid(_ color: Color, _ width: Int, _ height: Int) -> Pixels {
    Pixels(width: width, height: height) { _, _ in
      [color.red, color.green, color.blue, color.alpha]
    }
  }

  /// Returns a recognizable picture: smooth, with detail, and different in every corner.
  static func scene(_ width: Int, _ height: Int) -> Pixels {
    Pixels(width: width, height: height) { x, y in
      let u = Double(x) / Double(width)
      let v = Double(y) / Double(height)
      let wave = sin(u * 19) * cos(v * 13) * 30
      return [UInt8(40 + u * 170), UInt8(min(max(128 + wave, 0), 255)), UInt8(210 - v * 180), 255]
    }
  }
}

extension Recipe {
  /// Returns a recipe with defaults for everything that a test does not set.
  static func simple(
    _ width: Int, _ height: Int? = nil, base: PixelSize? = nil, fit: Fit = .fill,
    focus: Focus = .center, outline: Outline = .square, effects: [Effect] = [],
    encoding: Encoding = Encoding(format: .png)
  ) -> Recipe {
    let box = PixelSize(width: width, height: height ?? width)
    return Recipe(
      frame: Frame(base: base ?? box, box: box, fit: fit, focus: focus), outline: outline,
      effects: effects, encoding: encoding)
  }
}

extension Outline {
  init(radius: Double) {
    self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }
}

enum PlainRing {
  case over
  case inset
}

extension Border {
  /// Creates a ring of one colour along the inside of the outline.
  init(width: Double, color: Color, mode: PlainRing) {
    self.init(
      rings: [Ring(from: 0, to: width, fill: .solid(color), isOver: mode == .over)],
      cut: mode == .over ? 0 : width)
  }
}

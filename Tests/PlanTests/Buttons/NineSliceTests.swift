import SiteSupport
import Testing

/// The smallest picture of a button, stretched by plain code, beside the button drawn at once.
struct NineSliceTests {
  private static let sizes = [(width: 300.0, height: 60.0), (width: 48, height: 48)]

  /// Fill and border, each opaque or not.
  private static let colors = [
    ("#0a84ff", "#0060df"), ("#0a84ff59", "#112233"), ("#00000033", "#ffffff80"),
    ("#ffcc00", "#00000040"),
  ]

  private static func button(radius: Double, border: Double, colors: Int) throws -> ButtonStyle {
    let (fill, edge) = Self.colors[colors % Self.colors.count]
    let normal = try #require(Color(parsing: fill))
    var button = ButtonStyle(
      name: "b", light: ButtonStyle.Colors(normal: normal, highlighted: normal),
      declared: Located(FileLocation(file: "manifest.yaml"), path: "buttons[0]"))
    (button.radius, button.emit) = (radius, [.png])
    if border > 0 {
      button.border = ButtonStyle.Edge(width: border, color: try #require(Color(parsing: edge)))
    }
    return button
  }

  private static func pixels(_ recipe: Recipe, of button: ButtonStyle) throws -> Pixels {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
    var picture = try Picture(.color(button.light.normal))
    return try Pixels(png: picture.rendered(recipe).bytes)
  }

  /// Corners as they are, the middle pixel of each side as often as it takes.
  private static func stretch(_ slice: Pixels, cap: Int, to size: PixelSize) -> [UInt8] {
    func source(_ index: Int, of length: Int) -> Int {
      if index < cap { return index }
      let fromEnd = length - 1 - index
      return fromEnd < cap ? 2 * cap - fromEnd : cap
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * 4)
    for y in 0..<size.height {
      let row = source(y, of: size.height) * slice.width
      for x in 0..<size.width {
        let start = (row + source(x, of: size.width)) * 4
        for channel in 0..<4 { bytes.append(slice.bytes[start + channel]) }
      }
    }
    return bytes
  }

  private static func check(
    radius: Double, border: Double, scale: Double, colors: Int
  ) throws {
    let button = try Self.button(radius: radius, border: border, colors: colors)
    let slice = NineSlice(button, scale: scale)
    let small = try pixels(slice.recipe, of: button)
    let cap = Int(ceil(max(radius, border) * scale))
    #expect(slice.cap == cap && small.width == 2 * cap + 1 && small.height == 2 * cap + 1)
    for size in sizes {
      let size = PixelSize(width: Int(size.width * scale), height: Int(size.height * scale))
      let direct = try pixels(
        NineSlice.recipe(of: button, size: size, scale: scale), of: button)
      let isSame = stretch(small, cap: cap, to: size) == direct.bytes
      #expect(isSame, "radius \(radius), border \(border), \(scale)x, \(size.width) wide")
    }
  }

  /// B11: the nine-slice, stretched, is the direct render to the bit, at 300 × 60 and 48 × 48.
  @Test(arguments: 0...24)
  func `stretching gives the drawn button`(radius: Int) throws {
    for border in 0...4 {
      for scale in 1...3 {
        try Self.check(
          radius: Double(radius), border: Double(border), scale: Double(scale),
          colors: radius + border + scale)
      }
    }
  }

  /// B11: likewise for fractions, which no pixel is as wide as.
  @Test(arguments: [0.3, 0.5, 1.7, 4.5, 8.25, 12.3, 23.9])
  func `stretching gives the drawn button at any fraction`(radius: Double) throws {
    for (number, border) in [0, 0.3, 1.5, 2.7].enumerated() {
      for scale in [1, 1.5, 2, 3, 4] {
        try Self.check(radius: radius, border: border, scale: scale, colors: number)
      }
    }
  }

  /// B11: a radius of 8 is 17 × 17 pixels at scale 1.
  @Test func `nothing can be left out`() throws {
    let button = try Self.button(radius: 8, border: 1, colors: 0)
    let sides = [1.0, 2, 3].map { NineSlice(button, scale: $0).recipe.size.width }
    #expect(sides == [17, 33, 49])
    // One pixel less at a corner, and it is another picture.
    let small = try Self.pixels(NineSlice(button, scale: 1).recipe, of: button)
    #expect(small[7, 0] != small[8, 0] && small[0, 7] != small[0, 8])
  }
}

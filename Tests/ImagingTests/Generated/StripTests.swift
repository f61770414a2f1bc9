import Foundation
import Imaging
import Recipes
import Testing

struct StripTests {
  private func pixels(_ strip: Strip, scale: Int, width: Int = 1) throws -> Pixels {
    try ImageMagick.start()
    var picture = try Picture(.generated(.strip(strip)))
    return try Pixels(try picture.rendered(.simple(width, strip.height * scale)))
  }

  private static let faint = Color(red: 0, green: 0, blue: 0, alpha: 20)
  private static let black = Color(red: 0, green: 0, blue: 0)

  private static let strips = [
    // The first two strips are the shadows above and below cells in Weibo: black at 8 %.
    Strip(color: faint, radius: 0.8, offset: 0, height: 3, isAbove: true),
    Strip(color: faint, radius: 2, offset: 0.4, height: 7, isAbove: false),
    Strip(color: black, radius: 5, offset: -2, height: 13, isAbove: false),
    Strip(color: black, radius: 5, offset: -2, height: 17, isAbove: true),
    Strip(color: black, radius: 0.01, offset: 1.3, height: 2, isAbove: false),
    Strip(color: black, radius: 40, offset: 12, height: 132, isAbove: false),
  ]

  /// B12: a strip is 1 px wide, and each alpha is the mean of the error function in its row.
  @Test(arguments: strips, [1, 2, 3])
  func `each row's alpha follows the Gaussian integral`(strip: Strip, scale: Int) throws {
    let pixels = try pixels(strip, scale: scale)
    #expect(pixels.width == 1 && pixels.height == strip.height * scale)
    let alphas = strip.isAbove ? pixels.alphas.reversed() : pixels.alphas
    #expect(alphas == alphas.sorted(by: >))
    let steps = 2_000
    for (row, alpha) in pixels.alphas.enumerated() {
      var sum = 0.0
      for step in 0..<steps {
        let y = (Double(row) + (Double(step) + 0.5) / Double(steps)) / Double(scale)
        // The distance in points from the shadow's edge, measured outwards.
        let away = strip.isAbove ? Double(strip.height) + strip.offset - y : y - strip.offset
        sum += 0.5 - 0.5 * erf(away / (strip.radius * 2.0.squareRoot()))
      }
      let wanted = sum / Double(steps) * Double(strip.color.alpha)
      #expect(abs(Double(alpha) - wanted) <= 1, "row \(row)")
    }
  }

  /// B12: the strip ends where the shadow is no longer visible.
  @Test func `the strip is transparent beyond three standard deviations`() throws {
    let strip = Strip(color: Self.black, radius: 2, offset: 0, height: 20, isAbove: false)
    let alphas = try pixels(strip, scale: 1).alphas
    #expect(alphas[5] > 0)
    #expect(alphas[6...].allSatisfy { $0 == 0 })
  }

  @Test func `without a radius, the edge is sharp even between pixels`() throws {
    let strip = Strip(color: Self.black, radius: 0, offset: 1.5, height: 3, isAbove: false)
    #expect(try pixels(strip, scale: 1).alphas == [255, 128, 0])
    #expect(try pixels(strip, scale: 2).alphas == [255, 255, 255, 0, 0, 0])
    var tiny = strip
    tiny.radius = .leastNonzeroMagnitude
    #expect(try pixels(tiny, scale: 1).alphas == [255, 128, 0])
  }

  @Test func `a strip above an edge mirrors a strip below it`() throws {
    let above = Strip(color: .ruby, radius: 3, offset: 0, height: 9, isAbove: true)
    var below = above
    below.isAbove = false
    #expect(try pixels(above, scale: 2).alphas == pixels(below, scale: 2).alphas.reversed())
    #expect(try pixels(above, scale: 1)[0, 8].prefix(3) == [255, 0, 0])
  }

  @Test func `all columns are identical`() throws {
    let strip = Strip(color: .ruby, radius: 3, offset: 1, height: 10, isAbove: false)
    let one = try pixels(strip, scale: 1)
    let wide = try pixels(strip, scale: 1, width: 5)
    for y in 0..<10 {
      for x in 0..<5 { #expect(wide[x, y] == one[0, y]) }
    }
  }
}

import Foundation
import Imaging
import Recipes
import Testing

/// Compares AVIF output with the same picture as PNG; BrowserTests display it in Chromium.
struct AVIFTests {
  private static func images(
    _ recipe: (Encoding) -> Recipe, quality: Int = 50
  ) throws -> (avif: RenderedImage, png: Pixels) {
    var picture = try Pixels.scene(160, 120).picture()
    let avif = try picture.rendered(recipe(Encoding(format: .avif, quality: quality)))
    return (avif, try Pixels(try picture.rendered(recipe(Encoding(format: .png)))))
  }

  private static let shapes: [@Sendable (Encoding) -> Recipe] = [
    { .simple(96, outline: .circle(in: PixelSize(width: 96, height: 96)), encoding: $0) },
    // The sides are odd, and a shadow and a ring beyond the picture leave whole rows invisible.
    {
      .simple(
        61, 47, outline: Outline(radius: 9),
        effects: [
          .border(Border(width: 3, color: .lime, mode: .inset)),
          .shadow(Shadow(color: .ruby, radius: 4, x: 0, y: 2, outset: 0)),
        ], encoding: $0)
    },
    { .simple(1, 1, encoding: $0) },
  ]

  @Test(arguments: 0..<3)
  func `an AVIF has exact alpha and nearly exact visible colours`(shape: Int) throws {
    let (image, exact) = try Self.images(Self.shapes[shape], quality: 90)
    let read = try Rendered.whole(image.bytes)
    #expect(read.size == exact.size && read.alphas == exact.alphas)
    var worst = 0
    for at in stride(from: 0, to: exact.bytes.count, by: 4) {
      let alpha = Int(exact.bytes[at + 3])
      for channel in at..<at + 3 {
        worst = max(worst, abs(Int(read.bytes[channel]) - Int(exact.bytes[channel])) * alpha / 255)
      }
    }
    #expect(worst <= 12, "\(worst)")
  }

  /// Invisible pixels take their neighbours' colours, because black would darken the edge.
  @Test func `a bright edge has no dark fringe`() throws {
    var picture = try Pixels.solid(.white, 64, 64).picture()
    let disc = Outline.circle(in: PixelSize(width: 64, height: 64))
    let image = try Rendered.whole(
      try picture.rendered(
        .simple(64, outline: disc, encoding: Encoding(format: .avif, quality: 50))
      ).bytes)
    for at in stride(from: 0, to: image.bytes.count, by: 4) where image.bytes[at + 3] > 0 {
      #expect(image.bytes[at..<at + 3].allSatisfy { $0 >= 252 }, "\(image.bytes[at..<at + 4])")
    }
  }

  @Test func `an opaque AVIF is reproducible and does not contain alpha`() throws {
    let plain: (Encoding) -> Recipe = { .simple(96, encoding: $0) }
    let files = try (0..<2).map { _ in try Self.images(plain).avif.bytes }
    #expect(files[0] == files[1] && !HEIFMeta.statesAlpha(files[0]))
    #expect(try HEIFMeta.statesAlpha(Self.images(Self.shapes[0]).avif.bytes))
    #expect(try Inspection(inspecting: files[0]).format == .avif)
  }
}

import Foundation
import Magick
import Testing

struct CanvasTests {
  private static let pixels: [UInt8] = (0..<6).flatMap { [UInt8($0 * 40), 7, 200, 255] }

  private func canvas() throws -> Canvas {
    try MagickRuntime.start()
    return try Canvas(rgba: Self.pixels.span, width: 3, height: 2)
  }

  @Test func `a canvas returns the pixels that it was created from`() throws {
    let canvas = try canvas()
    #expect(canvas.width == 3)
    #expect(canvas.height == 2)
    #expect(try canvas.rgba() == Self.pixels)
  }

  @Test func `a region of the pixels can be exported`() throws {
    let part = try canvas().rgba(columns: 1..<3, rows: 1..<2)
    #expect(part == Array(Self.pixels[16..<24]))
  }

  @Test func `translucent pixels keep their colour`() throws {
    try MagickRuntime.start()
    let pixels: [UInt8] = [200, 100, 50, 128, 1, 2, 3, 4]
    let canvas = try Canvas(rgba: pixels.span, width: 2, height: 1)
    #expect(try canvas.rgba() == pixels)
    let file = try canvas.encoded(as: "PNG")
    #expect(try Canvas(decoding: file, coder: "PNG").rgba() == pixels)
  }

  @Test func `a frame is placed at its position on the canvas`() throws {
    try MagickRuntime.start()
    // The GIF has a screen of 3 × 2 and one red pixel at (2, 1).
    let gif = Data(
      Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0]
        + [0x2C, 2, 0, 1, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B])
    var canvas = try Canvas(decoding: gif, coder: "GIF")
    try canvas.coalesce(width: 3, height: 2)
    #expect(canvas.width == 3)
    #expect(canvas.height == 2)
    let bytes = try canvas.rgba()
    #expect(Array(bytes[20..<24]) == [255, 0, 0, 255])
    for pixel in 0..<5 { #expect(bytes[pixel * 4 + 3] == 0) }
  }

  @Test func `only the first frame of an animation is read`() throws {
    try MagickRuntime.start()
    func frame(_ code: UInt8) -> [UInt8] { [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, code, 1, 0] }
    let gif = Data(
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        + frame(0x44) + (0..<20).flatMap { _ in frame(0x4C) } + [0x3B])
    #expect(try Canvas(decoding: gif, coder: "GIF").rgba() == [255, 0, 0, 255])
  }

  /// Otherwise, the missing rows could show stale memory, such as another person's picture.
  @Test func `a picture is rejected if its decoder fails`() throws {
    try MagickRuntime.start()
    let noise = (0..<64 * 64 * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
    let whole = try Canvas(rgba: noise.span, width: 64, height: 64).encoded(as: "JPEG", quality: 95)
    // Removes the quantization tables.
    let broken = Data(whole.segmentsOfJPEG.filter { $0[1] != 0xDB }.joined())
    let error = #expect(throws: MagickError.self) {
      _ = try Canvas(decoding: broken, coder: "JPEG")
    }
    #expect(error?.message.contains("Quantization table") == true, "\(error?.message ?? "")")
  }

  @Test func `a truncated picture causes a decoder warning`() throws {
    try MagickRuntime.start()
    let noise = (0..<64 * 64 * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
    let whole = try Canvas(rgba: noise.span, width: 64, height: 64).encoded(as: "JPEG", quality: 95)
    #expect(try Canvas(decoding: whole, coder: "JPEG").decoderWarning == nil)
    let half = whole.prefix(whole.count / 2) + Data([0xFF, 0xD9])
    let warning = try Canvas(decoding: half, coder: "JPEG").decoderWarning
    #expect(warning?.contains("premature end") == true)
  }
}

extension Data {
  /// The markers with their segments; the last one contains everything from the first scan on.
  fileprivate var segmentsOfJPEG: [[UInt8]] {
    let bytes = [UInt8](self)
    var segments = [Array(bytes[..<2])]
    var at = 2
    while at + 4 <= bytes.count, bytes[at + 1] != 0xDA {
      let end = at + 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
      segments.append(Array(bytes[at..<end]))
      at = end
    }
    return segments + [Array(bytes[at...])]
  }
}

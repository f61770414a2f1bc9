import Foundation
import Imaging
import Recipes
import Testing

/// Compares with the reference implementation, evanw/thumbhash (js/thumbhash.js at a652ce6).
///
/// The pictures are asymmetric to avoid terms near 0: these are halfway between two steps, so
/// the last bit of a cosine would decide how they are rounded.
struct ThumbHashTests {
  struct Vector: Sendable, CustomStringConvertible {
    let description: String
    let width: Int
    let height: Int
    let hash: String
    let paint: @Sendable (_ x: Int, _ y: Int) -> [UInt8]
  }

  private static func byte(_ value: Int) -> UInt8 { UInt8(value & 255) }

  /// Returns 255 inside a circle, 128 around the circle, and 0 outside.
  private static func disc(_ x: Int, _ y: Int) -> UInt8 {
    let (u, v) = (2 * x - 23, 2 * y - 37)
    let square = u * u + v * v
    return square < 500 ? 255 : square < 640 ? 128 : 0
  }

  static let vectors: [Vector] = [
    Vector(
      description: "ramp", width: 32, height: 24, hash: "5cb60d25969287878088887888788887a36017f988"
    ) { x, y in [byte(x * x / 5 + y), byte(y * 10), byte(128 + x * y / 8), 255] },
    Vector(
      description: "tall", width: 20, height: 30, hash: "dc670e4d2260867a88678877787888776f7aa6f998"
    ) { x, y in [byte(255 - y * 8), byte(x * y), byte(x * 12), 255] },
    Vector(
      description: "disc", width: 32, height: 32,
      hash: "5ae7851d062700abaa68a56c8587af0200d71e766389509978"
    ) { x, y in [byte(x * 8), byte(255 - y * 8), byte((x + y) * 4), disc(x, y)] },
    Vector(
      description: "noise", width: 7, height: 5,
      hash: "e026860c8617264479a57ac9d05f84f7688557516270777707"
    ) { x, y in
      [byte(x * 37 + y * 101), byte(x * 59 + y * 17), byte(x * 83 + y * 29), byte(x * 71 + y * 43)]
    },
    Vector(
      description: "wide", width: 32, height: 8,
      hash: "9fb485198c382475507888245048f28a7f887888778888"
    ) { x, y in [byte(x * x), byte(y * 30), 200, byte(255 - x * 8)] },
    Vector(
      description: "stripe", width: 1, height: 9, hash: "17cb2dd132088788788788870889870a77"
    ) { _, y in [byte(y * 28), byte(255 - y * 28), byte(y * y), 255] },
    Vector(
      description: "checks", width: 16, height: 16,
      hash: "9809830d021a7878b8f787888f880788777078784808888870"
    ) { x, y in
      (x >> 2 + y >> 2) % 2 == 1 ? [240, 40, 10, 255] : [20, 60, 220, 90]
    },
  ]

  private static func placeholder(
    _ pixels: Pixels, _ change: (inout Recipe) -> Void = { _ in }
  ) throws -> Placeholder? {
    var picture = try pixels.picture()
    var recipe = Recipe.simple(pixels.width, pixels.height)
    change(&recipe)
    return try picture.rendered(recipe).metadata.placeholder
  }

  @Test(arguments: vectors)
  func `the hash matches the reference implementation`(vector: Vector) throws {
    let pixels = Pixels(width: vector.width, height: vector.height, paint: vector.paint)
    let bytes = try #require(try Self.placeholder(pixels)).thumbHash
    #expect(bytes.map { String(format: "%02x", $0) }.joined() == vector.hash)
    #expect(bytes.count <= 25)
  }

  @Test func `a larger picture has the hash of its thumbnail`() throws {
    // The mean of each 6 × 6 block is one pixel of the test vector.
    let vector = Self.vectors[2]
    let pixels = Pixels(width: 192, height: 192) { vector.paint($0 / 6, $1 / 6) }
    let bytes = try #require(try Self.placeholder(pixels)).thumbHash
    #expect(bytes.map { String(format: "%02x", $0) }.joined() == vector.hash)
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (33, 32), (1_000, 31), (97, 61)])
  func `pictures of any size have a hash of at most 25 bytes`(width: Int, height: Int) throws {
    let opaque = try #require(try Self.placeholder(.scene(width, height)))
    #expect((5...24).contains(opaque.thumbHash.count))
    let veiled = Pixels(width: width, height: height) { x, y in [9, 8, 7, UInt8(1 + (x + y) % 9)] }
    let other = try #require(try Self.placeholder(veiled))
    #expect((6...25).contains(other.thumbHash.count))
    #expect(other.thumbHash[2] & 0x80 == 0x80)
  }

  @Test func `the hash reflects the mask and is omitted for invisible pictures`() throws {
    let scene = Pixels.scene(60, 60)
    let size = scene.size
    let whole = try #require(try Self.placeholder(scene))
    let masked = try #require(try Self.placeholder(scene) { $0.outline = .circle(in: size) })
    #expect(whole.thumbHash[2] & 0x80 == 0)
    #expect(masked.thumbHash[2] & 0x80 == 0x80)
    #expect(try Self.placeholder(.solid(Color(red: 9, green: 9, blue: 9, alpha: 0), 8, 8)) == nil)
  }

  @Test func `only the largest scale has a placeholder, shared by all formats`() throws {
    var picture = try Pixels.scene(80, 80).picture()
    let base = PixelSize(width: 64, height: 64)
    #expect(try picture.rendered(.simple(32, base: base)).metadata.placeholder == nil)
    let png = try picture.rendered(.simple(64, base: base)).metadata.placeholder
    let webp = try picture.rendered(
      .simple(64, base: base, encoding: Encoding(format: .webp, quality: 80)))
    #expect(png != nil && png == webp.metadata.placeholder)
  }
}

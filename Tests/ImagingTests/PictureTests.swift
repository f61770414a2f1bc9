import Imaging
import Recipes
import TestSupport

struct PictureTests {
  private static let source = Pixels.scene(500, 400)
  private static let base = PixelSize(width: 96, height: 96)

  /// Recipes that share a decode, a scaled base, finished pixels and masks.
  private static let recipes: [Recipe] = [32, 64, 96].flatMap { side -> [Recipe] in
    let size = PixelSize(width: side, height: side)
    let ring = Effect.border(Border(width: Double(side) / 32, color: .white, mode: .over))
    return [
      .simple(side, base: base, outline: .circle(in: size), effects: [ring]),
      .simple(
        side, base: base, outline: .circle(in: size), effects: [ring],
        encoding: Encoding(format: .webp, quality: 80)),
      .simple(side, base: base, outline: Outline(radius: Double(side) / 8)),
      .simple(side, base: base, fit: .contain),
      .simple(side, base: base, focus: Focus(x: 0.1, y: 0.5)),
      .simple(
        side, base: base, outline: .circle(in: size), effects: [.matte(.sky)],
        encoding: Encoding(format: .jpeg, quality: 85)),
    ]
  }

  private static func jpeg() throws -> (Data, Inspection) {
    (try source.encoded(as: "JPEG", quality: 90), Inspection(format: .jpeg, size: source.size))
  }

  private static func fresh() throws -> Picture {
    let (bytes, inspection) = try jpeg()
    let reduction = inspection.reduction(for: recipes[0].frame)
    return try Picture(.encoded(inspection, reduction: reduction), bytes)
  }

  /// F9: a reused set of buffers and a fresh one produce identical bytes.
  @Test func `an image does not depend on earlier renderings`() throws {
    let alone = try Self.recipes.map { recipe in
      var picture = try Self.fresh()
      return try picture.rendered(recipe)
    }
    var random = SeededRandom(seed: 42)
    for _ in 0..<12 {
      var picture = try Self.fresh()
      let order = Array(Self.recipes.indices).shuffled(using: &random)
      for index in order.prefix(Int.random(in: 1...order.count, using: &random)) {
        #expect(try picture.rendered(Self.recipes[index]) == alone[index])
      }
    }
  }

  @Test func `styles that are rendered together do not affect each other`() throws {
    var picture = try Self.fresh()
    let first = try picture.rendered(Self.recipes[0])
    for step in 0..<40 {
      _ = try picture.rendered(
        .simple(40, base: Self.base, focus: Focus(x: Double(step) / 40, y: 0.5)))
    }
    #expect(try picture.rendered(Self.recipes[0]) == first)
  }

  @Test func `all scales show the same part of the picture`() throws {
    var picture = try Self.source.picture()
    let large = try Pixels(try picture.rendered(.simple(96)))
    var whole = try large.picture()
    for side in [32, 64] {
      let shared = try Pixels(
        try picture.rendered(.simple(side, base: PixelSize(width: 96, height: 96))))
      let direct = try Pixels(try picture.rendered(.simple(side)))
      #expect(shared == (try Pixels(try whole.rendered(.simple(side)))))
      #expect(shared.difference(to: direct) <= 8)
    }
  }

  @Test func `an enlarged image is rendered directly from the source`() throws {
    var picture = try Pixels.scene(60, 60).picture()
    let base = PixelSize(width: 192, height: 192)
    for side in [40, 64, 128] {
      let based = try picture.rendered(.simple(side, base: base))
      #expect(try based.bytes == picture.rendered(.simple(side)).bytes)
    }
  }

  @Test func `a failing recipe does not affect the others`() throws {
    var picture = try Self.fresh()
    let size = PixelSize(width: 96, height: 96)
    #expect(throws: Rejection.self) {
      _ = try picture.rendered(
        .simple(
          96, outline: .circle(in: size), encoding: Encoding(format: .jpeg, quality: 80)))
    }
    // WebP supports at most 16,383 pixels per side.
    var blank = try Picture(.color(.sky))
    #expect(throws: Rejection.self) {
      _ = try blank.rendered(.simple(16_384, 1, encoding: Encoding(format: .webp, quality: 80)))
    }
    #expect(try picture.rendered(Self.recipes[0]).bytes.isEmpty == false)
    #expect(try blank.rendered(.simple(8)).bytes.isEmpty == false)
  }

  @Test func `an image beyond ImageMagick's memory limit is rejected`() throws {
    try ImageMagick.start()
    var blank = try Picture(.color(.sky))
    for format in OutputFormat.allCases {
      let error = #expect(throws: Rejection.self) {
        _ = try blank.rendered(.simple(12_000, encoding: Encoding(format: format)))
      }
      #expect(error?.reason == .encodeFailed)
      #expect(error?.detail.contains("12,000 × 12,000 pixels") == true)
    }
    #expect(try blank.rendered(.simple(8)).bytes.isEmpty == false)
  }

  @Test func `a decode that contradicts the header is rejected`() throws {
    let (bytes, _) = try Self.jpeg()
    for size in [PixelSize(width: 500, height: 401), PixelSize(width: 250, height: 200)] {
      let error = #expect(throws: Rejection.self) {
        _ = try Picture(.encoded(Inspection(format: .jpeg, size: size), reduction: 1), bytes)
      }
      #expect(error?.reason == .decodeFailed)
    }
    #expect(throws: Rejection.self) {
      _ = try Picture(
        .encoded(Inspection(format: .png, size: Self.source.size), reduction: 1), bytes)
    }
  }

  @Test func `half a JPEG is rejected even if it has an end marker`() throws {
    let (bytes, inspection) = try Self.jpeg()
    for share in [0.3, 0.6, 0.8] {
      let half = bytes.prefix(Int(Double(bytes.count) * share)) + Data([0xFF, 0xD9])
      for reduction in [1, 2, 4, 8] {
        let error = #expect(throws: Rejection.self) {
          _ = try Picture(.encoded(inspection, reduction: reduction), half)
        }
        #expect(error?.reason == .truncated)
      }
    }
  }

  @Test func `raw pixels must match the declared size`() throws {
    try ImageMagick.start()
    #expect(throws: Rejection.self) {
      _ = try Picture(.raster(PixelSize(width: 2, height: 2)), Data(count: 15))
    }
    #expect(throws: Rejection.self) {
      _ = try Picture(.raster(PixelSize(width: 0, height: 2)), Data())
    }
  }

  @Test func `the fingerprint names the renderer's revision and the codecs`() throws {
    try ImageMagick.start()
    let fingerprint = ImagingRuntime.fingerprint()
    #expect(fingerprint.hasPrefix("sitegen \(Recipe.revision);"))
    for codec in ["libwebp", "libheif 1.", "libde265", "dav1d"] {
      #expect(fingerprint.contains(codec))
    }
  }
}

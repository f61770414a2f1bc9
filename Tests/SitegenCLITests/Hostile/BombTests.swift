import TestSupport

struct BombTests {
  private static let red = TestPicture.png(width: 4, height: 4) { _, _ in .red }

  /// I1: oversized pictures in every format are rejected as `too-many-pixels`; others are rendered.
  ///
  /// I2: a picture with hidden costs is rejected before decoding, or the costs are limited.
  @Test func `a decompression bomb affects only its user`() throws {
    let sides = [
      Bomb.png(width: 50_000, height: 50_000), Bomb.png(width: 15_000, height: 15_000),
      Bomb.jpeg(width: 65_500, height: 65_500), Bomb.gif(screen: 65_535),
      Bomb.webp(width: 16_383, height: 16_383),
      TestPicture.heifStructure(width: 30_000, height: 30_000),
    ]
    let hidden: [(String, Data)] = [
      ("too-many-scans", Bomb.jpeg(scans: 1_000)),
      ("too-many-chunks", Bomb.png(textChunks: 20_000)),
      ("too-many-chunks", Bomb.avif(columns: 64, rows: 64)),
    ]
    var portfolio = Portfolio()
    var expected: [String: String] = [:]
    for (number, bomb) in sides.enumerated() {
      portfolio.add("side \(number)", bomb)
      expected["side \(number)"] = "too-many-pixels"
      portfolio.add("good \(number)", Self.red + Data("\(number)".utf8))
    }
    for (number, bomb) in hidden.enumerated() {
      portfolio.add("hidden \(number)", bomb.1)
      expected["hidden \(number)"] = bomb.0
    }
    for type in ["zTXt", "iTXt", "iCCP"] {
      portfolio.add(type, Bomb.png(inflating: 100_000_000, in: type))
    }
    // A picture of the largest allowed size with 64 scans may work or exceed the time limit.
    portfolio.add("patience", Bomb.jpeg(scans: 64, width: 4_000, height: 4_000))
    portfolio.add("last", Self.red)

    let outcome = try portfolio.build()
    #expect(outcome.run.status == 1, "\(outcome.run.err)")
    var reasons = outcome.assets.reasons
    reasons["patience"] = nil
    #expect(reasons == expected)
    let good = try #require(outcome.assets.digest("last"))
    for number in sides.indices { #expect(outcome.assets.digest("good \(number)") == good) }
    for type in ["zTXt", "iTXt", "iCCP"] { #expect(outcome.assets.digest(type) == good) }
  }

  /// I3: only the first frame of an animation is used.
  @Test func `only the first frame of an animation is used`() throws {
    let colors: [TestPicture.Pixel] = [.green, .red, .blue]
    var portfolio = Portfolio()
    portfolio.add("still", TestPicture.png(width: 6, height: 6) { _, _ in .green })
    portfolio.add(
      "gif", TestPicture.gif(width: 6, height: 6, frames: 3) { frame, _, _ in colors[frame] })
    portfolio.add(
      "long gif",
      TestPicture.gif(width: 6, height: 6, frames: 10_001) { frame, _, _ in
        frame == 0 ? .green : .red
      })
    portfolio.add(
      "png", TestPicture.apng(width: 6, height: 6, frames: 3) { frame, _, _ in colors[frame] })
    portfolio.add(
      "webp", TestPicture.webp(width: 6, height: 6, frames: 3) { frame, _, _ in colors[frame] })
    let outcome = try portfolio.build()
    #expect(outcome.run.status == 0, "\(outcome.run.err)")
    let still = try #require(outcome.assets.digest("still"))
    for id in ["gif", "long gif", "png", "webp"] {
      #expect(outcome.assets.digest(id) == still, "\(id)")
    }
  }

  /// I6: pictures of one pixel or one line are valid.
  @Test func `a picture may be as small as one pixel`() throws {
    var portfolio = Portfolio()
    for (width, height) in [(1, 1), (1, 4_000), (4_000, 1), (2, 1), (1, 2)] {
      portfolio.add(
        "\(width)x\(height)", TestPicture.png(width: width, height: height) { _, _ in .green })
    }
    let sizes = [(0, 0), (0, 5), (5, 0)]
    for (width, height) in sizes {
      portfolio.add(
        "png \(width)x\(height)",
        TestPicture.png(width: width, height: height, chunks: [TestPicture.chunk("IDAT", [])]))
      portfolio.add("jpeg \(width)x\(height)", Bomb.jpeg(width: width, height: height))
    }
    let outcome = try portfolio.build()
    #expect(outcome.run.status == 1)
    #expect(outcome.assets.reasons.count == 2 * sizes.count)
    for (id, user) in outcome.assets.users where user.status == "ok" {
      let image = try #require(user.avatars["s"]?.first)
      #expect(image.width == 8 && image.height == 8)
      #expect(outcome.assets.digest(id) == outcome.assets.digest("1x1"), "\(id)")
    }
    for id in outcome.assets.reasons.keys { #expect(id.contains(" ")) }
  }
}

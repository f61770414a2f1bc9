import Build
import TestSupport

struct DamagedPictureTests {
  private static let paint = TestPicture.quarters(width: 12, height: 12)
  private static let whole: [(name: String, bytes: Data)] = [
    ("jpeg", TestPicture.jpeg(width: 12, height: 12, pixel: paint)),
    ("progressive", TestPicture.jpeg(width: 12, height: 12, isProgressive: true, pixel: paint)),
    ("png", TestPicture.png(width: 12, height: 12, pixel: paint)),
    (
      "palette",
      TestPicture.png(width: 12, height: 12, kind: .palette, interlaced: true, pixel: paint)
    ),
    ("gif", TestPicture.gif(width: 12, height: 12) { _, x, y in paint(x, y) }),
    ("webp", TestPicture.webp(width: 12, height: 12, pixel: paint)),
  ]

  /// I4: a file that lacks only its end marker produces the same picture.
  @Test func `a file without its end marker is accepted`() throws {
    var portfolio = Portfolio()
    for (name, bytes) in Self.whole {
      portfolio.add(name, bytes)
      let lost =
        switch name {
        case "jpeg", "progressive": [1, 2]
        case "png", "palette": [12]
        default: [1]
        }
      for count in lost { portfolio.add("\(name) without \(count)", bytes.dropLast(count)) }
    }
    let outcome = try portfolio.build()
    #expect(outcome.run.status == 0, "\(outcome.run.err)")
    for (id, user) in outcome.assets.users {
      let name = id.components(separatedBy: " ")[0]
      #expect(user.status == "ok", "\(id)")
      // The last byte of a WebP belongs to the picture.
      guard name != "webp" else { continue }
      let whole = outcome.assets.users[name]?.avatars["s"]
      #expect(user.avatars["s"]?.map(\.path) == whole?.map(\.path), "\(id)")
    }
  }

  /// I4: a file that lacks a quarter or more is rejected in every format.
  @Test func `a truncated file is rejected`() throws {
    var portfolio = Portfolio()
    for (name, bytes) in Self.whole {
      portfolio.add(name, bytes)
      let count = bytes.count
      for length in Set([0, 1, 2, 12, count / 4, count / 2, count * 3 / 4]) {
        portfolio.add("\(name) cut at \(length) of \(count)", bytes.prefix(length))
      }
    }
    let outcome = try portfolio.build()
    #expect(outcome.run.status == 1)
    let fine = outcome.assets.users.filter { $0.value.status == "ok" }.keys
    #expect(Set(fine) == Set(Self.whole.map(\.name)))
    #expect(
      Set(outcome.assets.reasons.values)
        .isSubset(of: [
          "source-empty", "truncated", "unsupported-format", "corrupt", "decode-failed",
        ]))
  }

  /// I5: each of 500 mutants produces a picture of the right size or a failure with a reason.
  @Test func `mutated files do not cause a crash`() throws {
    let given = ProcessInfo.processInfo.environment["SITEGEN_TEST_SEED"].flatMap(UInt64.init)
    let seed = given ?? .random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    var portfolio = Portfolio()
    for number in 0..<500 {
      let (name, bytes) = Self.whole[number % Self.whole.count]
      portfolio.add("\(name) \(number)", bytes.mutated(&random))
    }
    let outcome = try portfolio.build("--jobs", "2")
    #expect(outcome.run.signal == nil, "seed \(seed)")
    #expect([0, 1].contains(outcome.run.status), "seed \(seed): \(outcome.run.err)")
    #expect(outcome.report.users.total == 500, "seed \(seed)")
    #expect(outcome.assets.users.count == 500, "seed \(seed)")
    for (id, user) in outcome.assets.users {
      if user.status == "ok" {
        let image = try #require(user.avatars["s"]?.first, "seed \(seed): \(id)")
        #expect(image.width == 8 && image.height == 8, "seed \(seed): \(id)")
        #expect(outcome.tree.files[image.path]?.count == image.bytes, "seed \(seed): \(id)")
      } else {
        #expect(user.status == "failed" && user.reason != nil, "seed \(seed): \(id)")
      }
    }
    #expect(outcome.tree.flaws(between: outcome.tree, and: outcome.tree) == [], "seed \(seed)")
  }
}

extension Data {
  fileprivate func mutated(_ random: inout SeededRandom) -> Data {
    var bytes = [UInt8](self)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
      case 3: bytes.remove(at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
      }
    }
    return Data(bytes)
  }
}

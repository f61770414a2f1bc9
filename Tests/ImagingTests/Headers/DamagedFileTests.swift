import Recipes
import TestSupport

struct DamagedFileTests {
  /// I4: a file cut at any length is rejected as truncated.
  ///
  /// If only picture data is missing, the decoder may detect it instead.
  @Test(arguments: WholeFile.all)
  func `a file truncated at any byte is rejected`(file: WholeFile) {
    let data: Int? =
      switch file.inspection.format {
      case .jpeg: file.bytes.firstRange(of: Data([0xFF, 0xDA]))?.upperBound
      case .png: file.bytes.firstRange(of: Data("IDAT".utf8))?.upperBound
      case .webp: file.bytes.count - 12
      // The first picture of a GIF must be complete.
      case .gif: 0
      default: nil
      }
    for length in 0..<file.bytes.count {
      let found = rejection(of: file.bytes.prefix(length))
      if let data, length >= data, found == nil { continue }
      // The first few bytes do not identify a format.
      if (1..<12).contains(length), found?.reason == .unsupportedFormat { continue }
      #expect(found?.reason == (length == 0 ? .empty : .truncated), "after \(length) bytes")
    }
  }

  /// G33: half a JPEG, half a PNG, an empty file and text named PNG each fail with a reason.
  @Test func `a damaged source is rejected with a reason`() {
    let paint = TestPicture.gradient(width: 64, height: 64)
    let jpeg = TestPicture.jpeg(width: 64, height: 64, pixel: paint)
    let png = TestPicture.png(width: 64, height: 64, pixel: paint)
    #expect(rejection(of: jpeg.prefix(200))?.reason == .truncated)
    let half = #expect(throws: Rejection.self) { try Rendered.whole(png.prefix(png.count / 2)) }
    #expect(half?.reason == .truncated)
    #expect(rejection(of: Data())?.reason == .empty)
    #expect(rejection(of: Data("no picture".utf8))?.reason == .unsupportedFormat)
  }

  /// A mutated file is rejected, or has a valid size and a sanitized form that is accepted.
  @Test(arguments: WholeFile.all)
  func `mutated files never crash the inspection`(file: WholeFile) throws {
    let seed: UInt64 = 20_260_801
    var random = SeededRandom(seed: seed)
    for round in Extent.seeds(4_000, all: 20_000) {
      let mutant = mutated(file.bytes, with: &random)
      guard let inspection = try? Inspection(inspecting: mutant) else { continue }
      let place: Comment = "seed \(seed), round \(round)"
      #expect((1...16_384).contains(inspection.size.width), place)
      #expect((1...16_384).contains(inspection.size.height), place)
      #expect((1...8).contains(inspection.orientation), place)
      let rest = try inspection.sanitized(mutant)
      guard inspection.format != .avif, inspection.format != .heic else { continue }
      let expected = Inspection(format: inspection.format, size: inspection.size)
      #expect(try Inspection(inspecting: rest) == expected, place)
    }
  }

  @Test func `random bytes after a valid signature never crash the inspection`() {
    var random = SeededRandom(seed: 7)
    for file in WholeFile.all {
      for _ in 0..<500 {
        let head = file.bytes.prefix(Int.random(in: 3...40, using: &random))
        let tail = (0..<Int.random(in: 0...300, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        if let found = try? Inspection(inspecting: head + tail) {
          #expect((1...16_384).contains(found.size.width))
        }
      }
    }
  }

  /// Overwrites, removes or repeats a few bytes, and in half of the cases fixes PNG checksums.
  private func mutated(_ file: Data, with random: inout SeededRandom) -> Data {
    var bytes = [UInt8](file)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let length = min(Int.random(in: 1...8, using: &random), bytes.count - place)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes.removeSubrange(place..<place + length)
      case 1: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if bytes.isEmpty { return Data() }
    }
    if bytes.starts(with: [0x89, 0x50]), Bool.random(using: &random) { repairChecksums(&bytes) }
    return Data(bytes)
  }

  private func repairChecksums(_ png: inout [UInt8]) {
    var position = 8
    while position + 12 <= png.count {
      let length = png[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= png.count - position - 12 else { return }
      let end = position + 8 + length
      let checksum = Zlib.crc32(png[position + 4..<end])
      png.replaceSubrange(end..<end + 4, with: [UInt8].big(checksum, width: 4))
      position = end + 4
    }
  }
}

import Recipes
import TestSupport

struct JPEGInspectionTests {
  private let paint = TestPicture.gradient(width: 40, height: 20)

  private func frame(_ marker: UInt8, precision: UInt8 = 8, channels: Int = 1) -> Data {
    let data = [UInt8](repeating: 1, count: 100)
    let frame = TestPicture.frameSegment(
      width: 40, height: 20, channels: channels, marker: marker, precision: precision)
    let ids = (1...UInt8(min(channels, 4))).map { $0 }
    return Data(
      [0xFF, 0xD8] + frame + TestPicture.scanSegment(channels: ids) + data + [0xFF, 0xD9])
  }

  @Test func `baseline, extended and progressive JPEGs are accepted`() {
    for marker in [0xC0, 0xC1, 0xC2] as [UInt8] { #expect(rejection(of: frame(marker)) == nil) }
    for channels in [1, 3, 4] { #expect(rejection(of: frame(0xC0, channels: channels)) == nil) }
  }

  @Test(arguments: [0xC3, 0xC5, 0xC7, 0xC9, 0xCA, 0xCF, 0xF7])
  func `unsupported JPEG variants are rejected with an explanation`(marker: UInt8) throws {
    let found = try #require(rejection(of: frame(marker)))
    #expect(found.reason == .unsupportedFormat)
    #expect(found.detail.contains("lossless, hierarchical or arithmetically coded"))
  }

  @Test func `12-bit JPEGs and unusual channel counts are rejected`() {
    #expect(rejection(of: frame(0xC1, precision: 12))?.reason == .unsupportedFormat)
    #expect(rejection(of: frame(0xC0, channels: 2))?.reason == .unsupportedFormat)
    #expect(rejection(of: frame(0xC0, channels: 5))?.reason == .unsupportedFormat)
  }

  @Test func `an end marker after truncated data does not complete a picture`() throws {
    let large = TestPicture.gradient(width: 320, height: 240)
    for isProgressive in [false, true] {
      let file = TestPicture.jpeg(
        width: 320, height: 240, isProgressive: isProgressive, pixel: large)
      let scan = try #require(file.firstRange(of: Data([0xFF, 0xDA])))
      let cut = file.prefix(scan.lowerBound + 60) + Data([0xFF, 0xD9])
      #expect(rejection(of: cut)?.reason == .truncated)
    }
  }

  /// 80 × 64 pixels are 80 blocks with at least two bits each.
  @Test func `a scan with one channel needs two bits for each block`() {
    func file(_ bytes: Int) -> Data {
      Data(
        [0xFF, 0xD8] + TestPicture.frameSegment(width: 80, height: 64, channels: 1)
          + TestPicture.scanSegment(channels: [1]) + [UInt8](repeating: 1, count: bytes)
          + [0xFF, 0xD9])
    }
    #expect(rejection(of: file(20)) == nil)
    #expect(
      rejection(of: file(19))?.detail == "the JPEG data is truncated (19 of at least 20 bytes)")
  }

  @Test func `only a baseline JPEG with one scan may exceed the usual pixel limit`() {
    func file(_ marker: UInt8, _ scans: [[UInt8]]) -> Data {
      let data = [UInt8](repeating: 1, count: 1_300_000)
      let frame = TestPicture.frameSegment(
        width: 12_240, height: 8_136, channels: 1, marker: marker)
      return Data(
        [0xFF, 0xD8] + frame + scans.flatMap { TestPicture.scanSegment(channels: $0) + data }
          + [0xFF, 0xD9])
    }
    #expect(rejection(of: file(0xC0, [[1]])) == nil)
    #expect(rejection(of: file(0xC2, [[1]]))?.reason == .tooManyPixels)
    #expect(rejection(of: file(0xC0, [[1], [1]]))?.reason == .tooManyPixels)
    let size = PixelSize(width: 12_240, height: 8_136)
    let large = Frame(base: size, box: size, fit: .fill)
    #expect(Inspection(format: .jpeg, size: size).reduction(for: large) == 2)
  }

  @Test func `a JPEG without channels is unsupported`() {
    let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 8, 8, 0, 8, 0, 8, 0, 0xFF, 0xD9]
    #expect(rejection(of: file)?.reason == .unsupportedFormat)
  }

  @Test func `a channel without data is reported as missing`() {
    let data = [UInt8](repeating: 1, count: 100)
    let file =
      [0xFF, 0xD8] + TestPicture.frameSegment(width: 40, height: 20, channels: 3)
      + TestPicture.scanSegment(channels: [1]) + data + [0xFF, 0xD9]
    #expect(rejection(of: file)?.reason == .truncated)
  }

  @Test func `segments must appear in a valid order and a valid number of times`() {
    let frame = TestPicture.frameSegment(width: 40, height: 20, channels: 1)
    let scan = TestPicture.scanSegment(channels: [1]) + [UInt8](repeating: 1, count: 100)
    let start: [UInt8] = [0xFF, 0xD8]
    let end: [UInt8] = [0xFF, 0xD9]
    #expect(rejection(of: start + frame + scan + end) == nil)
    #expect(rejection(of: start + end)?.reason == .corrupt)
    #expect(rejection(of: start + frame + end)?.reason == .corrupt)
    #expect(rejection(of: start + scan + frame + end)?.reason == .corrupt)
    #expect(rejection(of: start + frame + frame + scan + end)?.reason == .corrupt)
    #expect(rejection(of: start + start + frame + scan + end)?.reason == .corrupt)
    #expect(rejection(of: start + [0xFF, 0x42] + frame + scan + end)?.reason == .corrupt)
    let foreign = TestPicture.scanSegment(channels: [7]) + [UInt8](repeating: 1, count: 100)
    #expect(rejection(of: start + frame + foreign + end)?.reason == .corrupt)
  }

  @Test func `padding and stray bytes between segments are skipped`() {
    let frame = TestPicture.frameSegment(width: 40, height: 20, channels: 1)
    let scan = TestPicture.scanSegment(channels: [1]) + [UInt8](repeating: 1, count: 100)
    let file =
      [0xFF, 0xD8, 0xFF, 0xFF, 0xFF] + frame + [0, 7, 0xFF, 0x00] + [0xFF, 0xFF, 0xD0] + scan
      + [0xFF, 0x00, 0xFF, 0xD0, 5, 0xFF, 0xFF, 0xD9]
    #expect(rejection(of: file) == nil)
  }

  @Test func `an end marker inside a thumbnail is ignored`() throws {
    let thumbnail = [UInt8](TestPicture.jpeg(width: 8, height: 8, pixel: paint))
    let segment = TestPicture.segment(0xE0, Array("JFXX\0\u{10}".utf8) + thumbnail)
    let file = TestPicture.jpeg(width: 40, height: 20, extra: [segment], pixel: paint)
    #expect(try Inspection(inspecting: file).size == PixelSize(width: 40, height: 20))
  }

  @Test func `uniform pictures of any shape are accepted`() {
    for colors in TestPicture.JPEGColors.allCases {
      for (width, height) in [(1, 1), (1, 300), (300, 1), (9, 17), (200, 200)] {
        for isProgressive in [false, true] {
          let file = TestPicture.jpeg(
            width: width, height: height, colors: colors, isProgressive: isProgressive
          ) { _, _ in TestPicture.Pixel(128, 128, 128) }
          #expect(rejection(of: file) == nil)
        }
      }
    }
  }
}

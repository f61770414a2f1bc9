import Recipes
import TestSupport

struct InspectionTests {
  @Test(arguments: WholeFile.all)
  func `complete files are accepted, and their declared values are read`(file: WholeFile) throws {
    #expect(try Inspection(inspecting: file.bytes) == file.inspection)
  }

  @Test func `a frame may touch but not cross the edges of its area`() {
    let size = PixelSize(width: 5, height: 7)
    #expect(PixelFrame(x: 0, y: 0, width: 5, height: 7).fits(size))
    for (x, y, width, height) in [
      (-1, 0, 5, 7), (0, -1, 5, 7), (1, 0, 5, 7), (0, 1, 5, 7), (0, 0, 0, 7), (0, 0, 5, 0),
    ] {
      #expect(!PixelFrame(x: x, y: y, width: width, height: height).fits(size))
    }
  }

  @Test func `the bytes may be a slice of a larger buffer`() throws {
    let file = TestPicture.jpeg(width: 9, height: 5, orientation: 3) { _, _ in .red }
    let slice = (Data([1, 2, 3]) + file + Data([4, 5]))[3..<file.count + 3]
    let inspection = try Inspection(inspecting: slice)
    #expect(inspection.size == PixelSize(width: 9, height: 5))
    #expect(inspection.orientation == 3)
    #expect(try inspection.sanitized(slice) == inspection.sanitized(file))
  }

  /// G30: magic bytes alone determine the type, whatever the file name.
  @Test func `exactly seven formats are accepted, regardless of file names`() {
    #expect(Inspection.Format.allCases.count == 7)
    let files = WholeFile.all.map(\.bytes) + [Data("<svg viewBox='0 0 1 1'/>".utf8)]
    let found = files.compactMap { try? Inspection(inspecting: $0).format }
    #expect(Set(found) == Set(Inspection.Format.allCases))
    #expect(rejection(of: Data("\u{FEFF}<svg viewBox='0 0 1 1'/>".utf8)) == nil)
  }

  /// I9: MVG, MSL, PS, PDF, text and HTML are rejected as `unsupported-format`, and named.
  @Test(arguments: Foreign.files.indices)
  func `other formats are rejected, and the message names the format`(index: Int) throws {
    let (name, bytes) = Foreign.files[index]
    let found = try #require(rejection(of: bytes))
    #expect(found.reason == .unsupportedFormat)
    let expected = name == "unknown" ? "the format is unknown" : name
    #expect(found.detail.contains(expected), "\(found.detail)")
  }

  /// I6: 0×0 is rejected; 1×1, 1×16,000, 16,000×1 and 2×1 are accepted.
  @Test(arguments: [(1, 1), (1, 16_000), (16_000, 1), (2, 1), (0, 0), (0, 5), (5, 0)])
  func `every side must be at least one pixel long`(width: Int, height: Int) throws {
    var files = [
      TestPicture.png(
        width: width, height: height, chunks: [TestPicture.chunk("IDAT", Zlib.zeros(70_000))]),
      Data(
        [0xFF, 0xD8] + TestPicture.frameSegment(width: width, height: height, channels: 1)
          + TestPicture.scanSegment(channels: [1]) + [UInt8](repeating: 1, count: 600)
          + [0xFF, 0xD9]),
      TestPicture.gif(width: max(width, 1), height: max(height, 1)) { _, _, _ in .red },
      TestPicture.heifStructure(width: width, height: height),
      TestPicture.lossyWebPStructure(width: width, height: height, dataBytes: 100),
    ]
    if width > 0, height > 0 {
      files.append(TestPicture.webp(width: width, height: height) { _, _ in .red })
    } else {
      // The screen of a GIF may be empty, but its first frame may not.
      files[2].replaceSubrange(794..<798, with: [UInt8(width), 0, UInt8(height), 0])
    }
    for file in files {
      if width > 0, height > 0 {
        #expect(try Inspection(inspecting: file).size == PixelSize(width: width, height: height))
      } else {
        #expect(rejection(of: file)?.reason == .corrupt)
      }
    }
  }

  @Test func `messages contain the values that caused a rejection`() {
    #expect(rejection(of: Data()) == Rejection(.empty, "the file is empty"))
    #expect(
      rejection(of: Bomb.png(width: 8_000, height: 8_000))
        == Rejection(
          .tooManyPixels, "8,000 × 8,000 pixels (64 megapixels); the limit is 50"))
    #expect(
      rejection(of: Bomb.jpeg(width: 16_000, height: 12_501))
        == Rejection(
          .tooManyPixels, "16,000 × 12,501 pixels (200.1 megapixels); the limit is 200"))
    #expect(
      rejection(of: Bomb.png(width: 17_000, height: 10))
        == Rejection(.tooManyPixels, "17,000 × 10 pixels; the limit per side is 16,384"))
    let webp = TestPicture.webp(width: 40, height: 20) { _, _ in .red }
    #expect(
      rejection(of: webp.prefix(1_000))
        == Rejection(
          .truncated,
          "the file ends in the middle of the picture (1,000 of \(webp.count.formatted) bytes)"))
  }

  @Test func `a file over the byte limit is rejected before it is read`() {
    var limits = InspectionLimits.standard
    #expect(limits.bytes == 33_554_432)
    limits.bytes = 1_000
    let found = rejection(of: Data(count: 1_001), limits: limits)
    #expect(found == Rejection(.tooManyBytes, "the file is 1,001 bytes long; the limit is 1,000"))
    #expect(rejection(of: Data(count: 1_000), limits: limits)?.reason != .tooManyBytes)
  }

  @Test func `a quarter turn swaps width and height`() {
    for orientation in 1...8 {
      let inspection = Inspection(
        format: .jpeg, size: PixelSize(width: 40, height: 20), orientation: orientation)
      let upright = PixelSize(width: orientation < 5 ? 40 : 20, height: orientation < 5 ? 20 : 40)
      #expect(inspection.uprightSize == upright)
    }
  }
}

extension Int {
  /// The number with a thousands separator, for up to six digits.
  fileprivate var formatted: String {
    self < 1_000 ? "\(self)" : "\(self / 1_000),\(String(self % 1_000 + 1_000).dropFirst())"
  }
}

import Recipes
import TestSupport

struct OrientationTests {
  private let paint = TestPicture.gradient(width: 16, height: 8)

  private func orientation(of file: Data) throws -> Int {
    try Inspection(inspecting: file).orientation
  }

  private func jpeg(_ segments: [UInt8]...) -> Data {
    TestPicture.jpeg(width: 16, height: 8, extra: segments, pixel: paint)
  }

  private func block(_ exif: [UInt8]) -> [UInt8] {
    TestPicture.segment(0xE1, Array("Exif\0\0".utf8) + exif)
  }

  /// I11: 1 to 8 are valid, other values count as 1, and the first EXIF block wins.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 255, 256, 65_535])
  func `orientation is read from EXIF`(stated: Int) throws {
    let expected = (1...8).contains(stated) ? stated : 1
    for isLittle in [false, true] {
      let exif = TestPicture.exif(orientation: stated, isLittle: isLittle)
      #expect(try orientation(of: jpeg(block(exif))) == expected)
      let chunk = TestPicture.chunk("eXIf", exif)
      let before = TestPicture.png(width: 16, height: 8, before: [chunk], pixel: paint)
      #expect(try orientation(of: before) == expected)
      let after = TestPicture.png(width: 16, height: 8, after: [chunk], pixel: paint)
      #expect(try orientation(of: after) == expected)
      for prefix in ["", "Exif\0\0"] {
        let extra = [TestPicture.riffChunk("EXIF", Array(prefix.utf8) + exif)]
        let webp = TestPicture.webp(width: 16, height: 8, extra: extra, pixel: paint)
        #expect(try orientation(of: webp) == expected)
      }
    }
  }

  @Test func `the first EXIF block wins, even if it lacks an orientation`() throws {
    let six = block(TestPicture.exif(orientation: 6))
    let three = block(TestPicture.exif(orientation: 3))
    let broken = block([0x4D, 0x4D, 0, 42, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try orientation(of: jpeg(six, three)) == 6)
    #expect(try orientation(of: jpeg(three, six)) == 3)
    #expect(try orientation(of: jpeg(broken, six)) == 1)
  }

  @Test func `orientation in XMP is ignored`() throws {
    let xmp = "http://ns.adobe.com/xap/1.0/\0<x tiff:Orientation=\"6\"/>"
    let six = block(TestPicture.exif(orientation: 6))
    #expect(try orientation(of: jpeg(TestPicture.segment(0xE1, Array(xmp.utf8)))) == 1)
    #expect(try orientation(of: jpeg(TestPicture.segment(0xE1, Array(xmp.utf8)), six)) == 6)
  }

  @Test(arguments: [(1, 1), (4, 1), (3, 2), (3, 0), (2, 1), (7, 1)])
  func `an orientation of the wrong type or count is treated as 1`(type: Int, count: Int) throws {
    let exif = TestPicture.exif(orientation: 6, type: type, count: count)
    #expect(try orientation(of: jpeg(block(exif))) == 1)
  }

  @Test func `EXIF with invalid offsets is treated as orientation 1`() throws {
    let good = TestPicture.exif(orientation: 6, isLittle: true)
    for length in 0..<good.count {
      let found = try orientation(of: jpeg(block(Array(good.prefix(length)))))
      #expect(found == (length < 32 ? 1 : 6))
    }
    for place in 0..<good.count {
      for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bad = good
        bad[place] = value
        #expect(try (1...8).contains(orientation(of: jpeg(block(bad)))))
      }
    }
    var far = good
    far.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try orientation(of: jpeg(block(far))) == 1)
    // The directory overlaps the header.
    far.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    #expect(try orientation(of: jpeg(block(far))) == 1)
  }
}

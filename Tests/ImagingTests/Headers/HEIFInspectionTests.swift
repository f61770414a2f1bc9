import Recipes
import TestSupport

struct HEIFInspectionTests {
  @Test func `the reported size accounts for cropping and rotation`() throws {
    let size = { (file: Data) in try Inspection(inspecting: file).size }
    let plain = TestPicture.heifStructure(width: 640, height: 480)
    #expect(try size(plain) == PixelSize(width: 640, height: 480))
    // Any compatible brand identifies the format.
    let other = plain.replacing("avif\0\0\0\0mif1avif", with: "mif1\0\0\0\0miafavif")
    #expect(try Inspection(inspecting: other).format == .avif)
    for turns in 0..<4 {
      let file = TestPicture.heifStructure(
        width: 640, height: 480, quarterTurns: turns, crop: (600, 400))
      let expected = PixelSize(
        width: turns % 2 == 0 ? 600 : 400, height: turns % 2 == 0 ? 400 : 600)
      #expect(try size(file) == expected)
    }
    let bad = TestPicture.heifStructure(width: 640, height: 480, crop: (641, 400))
    #expect(rejection(of: bad)?.reason == .corrupt)
  }

  @Test func `a grid must declare the same size as the file`() {
    let good = TestPicture.heifStructure(width: 640, height: 480, tiles: (3, 2))
    #expect(rejection(of: good) == nil)
    let bad = TestPicture.heifStructure(
      width: 640, height: 480, tiles: (3, 2), gridSize: (640, 481))
    #expect(rejection(of: bad)?.reason == .corrupt)
  }

  @Test func `grids are the only derived images that are accepted`() {
    let grid = TestPicture.heifStructure(width: 640, height: 480, tiles: (3, 2))
    for type in ["iovl", "iden", "tmap", "mime"] {
      let file = grid.replacing("grid", with: type)
      #expect(rejection(of: file)?.reason == .unsupportedFormat)
    }
    // The inputs of a tile or of the alpha plane are also decoded.
    for type in ["iovl", "iden", "mime"] {
      let file = grid.replacing("av01\0", with: type + "\0")
      #expect(rejection(of: file)?.reason == .unsupportedFormat)
    }
    let plain = TestPicture.heifStructure(width: 640, height: 480)
    #expect(rejection(of: plain.replacing("iinf", with: "free"))?.reason == .corrupt)
  }

  @Test func `the message names the box that is too long`() throws {
    let plain = TestPicture.heifStructure(width: 640, height: 480)
    for (name, words) in [
      ("ispe", "the ispe box is longer than its parent box"),
      ("av1C", "the av1C box is longer than its parent box"),
    ] {
      var file = plain
      file[try #require(file.range(of: Data(name.utf8))).lowerBound - 1] = 255
      #expect(rejection(of: file)?.detail == words)
    }
  }

  @Test func `offset fields longer than eight bytes are rejected`() throws {
    let plain = TestPicture.heifStructure(width: 64, height: 48)
    let sizes = try #require(plain.range(of: Data("iloc".utf8))).upperBound + 4
    for (index, size) in [(0, 0x94), (0, 0x49), (1, 0x90), (1, 0x09)] {
      var file = plain
      file[sizes + index] = UInt8(size)
      #expect(rejection(of: file)?.detail == "the file has invalid offset sizes")
    }
  }

  @Test(arguments: [2, 4, 7, 8])
  func `offset and length fields of up to eight bytes are read`(bytes: Int) throws {
    let file = TestPicture.heifStructure(width: 64, height: 48, numberBytes: bytes)
    #expect(rejection(of: file) == nil)
    #expect(rejection(of: file.dropLast())?.reason == .truncated)
  }

  @Test func `a length of 2^56 bytes or more is rejected as truncated`() throws {
    var file = TestPicture.heifStructure(width: 64, height: 48, numberBytes: 8)
    let places = try #require(file.range(of: Data("iloc".utf8))).upperBound
    // The first length follows the flags, the sizes, three numbers and the first offset.
    file[places + 4 + 4 + 8 + 8] = 1
    #expect(rejection(of: file)?.reason == .truncated)
  }

  @Test func `a box that is too short for its fields is rejected`() {
    let head = TestPicture.box("ftyp", Array("avif\0\0\0\0avif".utf8))
    let meta = TestPicture.box("meta", [0, 0, 0, 0] + TestPicture.box("pitm", [0, 0, 0, 0, 0]))
    let file = head + meta + TestPicture.box("mdat", [1, 2, 3])
    #expect(rejection(of: file)?.detail == "a box in the file is too short")
  }

  @Test func `a sequence without a primary picture is rejected as a sequence`() {
    let file = TestPicture.heifStructure(width: 640, height: 480).replacing("pitm", with: "free")
    let words = rejection(of: file + TestPicture.box("moov", []))
    #expect(words?.reason == .unsupportedFormat)
    #expect(words?.detail.hasPrefix("this file contains only a picture sequence") == true)
    #expect(rejection(of: file)?.reason == .corrupt)
  }

  @Test func `nested grids are rejected`() {
    let nested = TestPicture.heifStructure(width: 640, height: 480, tiles: (3, 2))
      .replacing("av01\0", with: "grid\0")
    #expect(rejection(of: nested) != nil)
  }

  /// 32 MiB of associations would be 33 million numbers in memory.
  @Test func `property associations are counted across the whole file`() {
    let file = { TestPicture.heifStructure(width: 64, height: 48, moreAssociations: $0) }
    #expect(rejection(of: file(60)) == nil)
    #expect(rejection(of: file(70))?.reason == .tooManyChunks)
  }

  /// An empty extent takes time to read, but refers to no bytes in the file.
  @Test func `extents are counted across the whole file`() {
    let file = { TestPicture.heifStructure(width: 64, height: 48, moreExtents: $0) }
    #expect(rejection(of: file(16)) == nil)
    #expect(rejection(of: file(17))?.reason == .tooManyChunks)
  }

  @Test func `data in a box without a declared length is still checked`() throws {
    var file = [UInt8](TestPicture.heifStructure(width: 64, height: 48, dataBytes: 200))
    let data = file.count - 208
    file.replaceSubrange(data..<data + 4, with: [0, 0, 0, 0])
    #expect(rejection(of: file) == nil)
    #expect(rejection(of: file.dropLast())?.reason == .truncated)
  }
}

extension Data {
  /// Replaces the first occurrence of a text with another text of the same length.
  fileprivate func replacing(_ text: String, with other: String) -> Data {
    var result = self
    if let range = range(of: Data(text.utf8)) {
      result.replaceSubrange(range, with: Data(other.utf8))
    }
    return result
  }
}

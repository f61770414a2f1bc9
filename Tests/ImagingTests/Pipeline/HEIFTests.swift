import Recipes
import TestSupport

/// Compares AVIF and HEIC files with the pixels that other programs encoded.
struct HEIFTests {
  private static func scene(_ width: Int, _ height: Int) -> Pixels {
    Pixels(width: width, height: height) { x, y in
      let (right, down) = (width - 1, height - 1)
      return [
        UInt8(40 + 150 * x / right), UInt8(200 - 130 * y / down),
        UInt8(90 + 60 * x / right + 60 * y / down), UInt8(255 - 240 * x / right),
      ]
    }
  }

  /// Rotates left by quarter turns, then mirrors: 0 swaps top and bottom, 1 swaps left and right.
  private static func turned(_ pixels: Pixels, quarters: Int, mirror: Int?) -> Pixels {
    let (w, h) = (pixels.width, pixels.height)
    let isSideways = quarters % 2 == 1
    let (width, height) = isSideways ? (h, w) : (w, h)
    return Pixels(width: width, height: height) { x, y in
      let column = mirror == 1 ? width - 1 - x : x
      let row = mirror == 0 ? height - 1 - y : y
      return switch quarters {
      case 1: pixels[w - 1 - row, column]
      case 2: pixels[w - 1 - column, h - 1 - row]
      case 3: pixels[row, h - 1 - column]
      default: pixels[column, row]
      }
    }
  }

  @Test(arguments: [
    (HEIFFile.alpha8, 4), (.alpha10, 3), (.alpha12, 3), (.limitedRange, 10), (.heic, 5),
    (.heic10, 4),
  ])
  func `colours and alpha match the original`(file: HEIFFile, tolerance: Int) throws {
    let difference = try Rendered.whole(file.data).difference(to: Self.scene(23, 15))
    #expect(difference <= tolerance)
  }

  /// When converting to RGB, libheif ignores the range of grey.
  @Test(arguments: [(HEIFFile.gray, 32, 4), (.gray10, 64, 64)])
  func `limited-range grey is expanded to black and white`(
    file: HEIFFile, width: Int, height: Int
  ) throws {
    let image = try Rendered.whole(file.data)
    let wanted = Pixels(width: width, height: height) { x, y in
      let gray = UInt8(255 * x / (width - 1))
      return [gray, gray, gray, file == .gray ? 255 : UInt8(255 * (63 - x / 2) / 63)]
    }
    #expect(image.difference(to: wanted) <= 2)
  }

  @Test func `a picture wrongly declared as monochrome keeps its colours`() throws {
    var file = HEIFFile.alpha8.data
    let codec = try #require(file.range(of: Data("av1C".utf8)))
    file[codec.upperBound + 2] |= 0x10
    let whole = try Rendered.whole(HEIFFile.alpha8.data)
    #expect(try Rendered.whole(file).difference(to: whole) == 0)
  }

  @Test func `tiles are joined into one picture, including alpha`() throws {
    let image = try Rendered.whole(HEIFFile.grid.data)
    #expect(image.difference(to: Self.scene(128, 64)) <= 4)
  }

  /// A premultiplied colour is less precise at a lower alpha.
  @Test func `10-bit colours are unpremultiplied before rounding`() throws {
    let wanted = Self.scene(23, 15)
    let image = try Rendered.whole(HEIFFile.premultiplied10.data)
    for y in 0..<15 {
      for x in 0..<23 {
        let alpha = wanted.alpha(x, y)
        #expect(image.alpha(x, y) == alpha)
        #expect(
          Rendered.isNear(image[x, y], wanted[x, y].map(Int.init), by: 3 + 255 / alpha),
          "\(x), \(y): \(image[x, y]) \(wanted[x, y])")
      }
    }
  }

  @Test(arguments: 0..<4, [0, 1])
  func `a file's rotation and mirroring are applied once`(quarters: Int, mirror: Int) throws {
    var file = HEIFFile.turned.data
    for (name, value) in [("irot", quarters), ("imir", mirror)] {
      let box = try #require(file.range(of: Data(name.utf8)))
      file[box.upperBound] = UInt8(value)
    }
    let wanted = Self.turned(Self.scene(23, 15), quarters: quarters, mirror: mirror)
    #expect(try Rendered.whole(file).difference(to: wanted) <= 4)
  }

  @Test func `a HEIC file is rotated only once`() throws {
    let wanted = Self.turned(Self.scene(23, 15), quarters: 3, mirror: nil)
    #expect(try Rendered.whole(HEIFFile.heicTurned.data).difference(to: wanted) <= 5)
  }

  /// This file declares the same rotation in EXIF and as a property.
  @Test func `an EXIF rotation is not applied twice`() throws {
    var wanted = Self.turned(Self.scene(23, 15), quarters: 3, mirror: nil)
    for at in stride(from: 3, to: wanted.bytes.count, by: 4) { wanted.bytes[at] = 255 }
    #expect(try Rendered.whole(HEIFFile.exifTurned.data).difference(to: wanted) <= 4)
  }

  /// libheif 1.15 drops this alpha plane, because its size differs, and 1.23 scales the plane.
  @Test func `an alpha plane with a different rotation is rejected or scaled`() throws {
    do {
      let pixels = try Rendered.whole(HEIFFile.alphaNotTurned.data)
      #expect(pixels.width == 15 && pixels.height == 23)
    } catch let rejection as Rejection {
      #expect(rejection.reason == .decodeFailed)
      #expect(rejection.detail == "the alpha plane's size differs from the picture's")
    }
  }

  @Test func `a file with only sequence brands is rejected or decoded`() throws {
    var file = HEIFFile.gray.data
    file.replaceSubrange(8..<24, with: Data("avis\0\0\0\0avismsf1".utf8))
    do {
      #expect(try Rendered.whole(file).width == 32)
    } catch let rejection as Rejection {
      #expect(rejection.reason == .decodeFailed)
      let words = [
        "libheif: the file is not marked as a still picture, and sequences are not supported",
        "libheif: Invalid input: No 'moov' box",
      ]
      #expect(words.contains(rejection.detail))
    }
  }

  @Test(arguments: HEIFFile.allCases)
  func `damaged data is either rejected or decoded`(file: HEIFFile) throws {
    let whole = file.data
    var random = SeededRandom(seed: UInt64(whole.count))
    for _ in 0..<40 {
      var bytes = whole
      // The second half of the file is mostly compressed data.
      for _ in 0..<3 {
        let at = Int.random(in: bytes.count / 2..<bytes.count, using: &random)
        bytes[at] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let image = try Rendered.whole(bytes)
        #expect(image.size == (try Inspection(inspecting: bytes).size))
      } catch let rejection as Rejection {
        #expect(!rejection.detail.isEmpty)
      }
    }
  }
}

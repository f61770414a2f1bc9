import Imaging
import Recipes
import TestSupport

struct ForeignProfileTests {
  private typealias Pixel = TestPicture.Pixel

  /// Grey pictures with a tone curve are tested in all containers that support one.
  @Test(arguments: [1.0, 1.8, 2.2])
  func `a greyscale profile is applied`(gamma: Double) throws {
    let profile = TestProfile.gray(gamma: gamma)
    for value in [30, 100, 200] {
      let light = pow(Double(value) / 255, gamma)
      let wanted = Int((Colorimetry.sRGB(ofLight: light) * 255).rounded())
      let sample = UInt8(value)
      let jpeg = Anatomy.jpeg(
        TestPicture.jpeg(width: 16, height: 16, colors: .gray, quality: 100) { _, _ in
          Pixel(sample, sample, sample)
        }, adding: [TestProfile.jpegSegment(profile)])
      let plain = PNGFile(
        width: 4, height: 4, depth: 8, colorType: 0, row: [UInt8](repeating: sample, count: 4),
        chunks: [TestProfile.pngChunk(profile)])
      let veiled = PNGFile(
        width: 2, height: 4, depth: 8, colorType: 4, row: [sample, 77, sample, 77],
        chunks: [TestProfile.pngChunk(profile)])
      for (name, file, alpha) in [
        ("jpeg", jpeg, 255), ("png", plain.data, 255), ("png with alpha", veiled.data, 77),
      ] {
        let pixel = try Rendered.whole(file)[1, 1]
        #expect(
          Rendered.isNear(pixel, [wanted, wanted, wanted, alpha], by: 3),
          "\(name): \(pixel) instead of \(wanted), exponent \(gamma)")
      }
    }
  }

  @Test func `Adobe RGB is converted with its colorants and its curve`() throws {
    let gamma = 563.0 / 256
    let profile = TestProfile.rgb(TestProfile.adobeRGBColorants, gamma: gamma)
    let colors: [[UInt8]] = [[200, 100, 50], [60, 180, 90], [128, 128, 128], [90, 80, 160]]
    for color in colors {
      let light = color.map { pow(Double($0) / 255, gamma) }
      let xyz = Colorimetry.xyz(light, TestProfile.adobeRGBColorants)
      let wanted = Colorimetry.light(ofXYZ: xyz, TestProfile.sRGBColorants).map {
        Int((Colorimetry.sRGB(ofLight: $0) * 255).rounded())
      }
      let png = PNGFile(
        width: 1, height: 1, depth: 8, colorType: 2, row: color,
        chunks: [TestProfile.pngChunk(profile)])
      let jpeg = Anatomy.jpeg(
        TestPicture.jpeg(width: 16, height: 16, quality: 100) { _, _ in
          Pixel(color[0], color[1], color[2])
        }, adding: [TestProfile.jpegSegment(profile)])
      for file in [png.data, jpeg] {
        let pixel = try Rendered.whole(file)[0, 0]
        #expect(Rendered.isNear(pixel, wanted, by: 3), "\(pixel) instead of \(wanted)")
      }
    }
  }

  @Test func `a Display P3 photo and its sRGB version look alike`() throws {
    func wave(_ x: Int, _ y: Int) -> [Double] {
      let (u, v) = (Double(x) / 128, Double(y) / 128)
      return [0.2 + 0.7 * u, 0.5 + 0.35 * sin(u * 6) * cos(v * 5), 0.9 - 0.7 * v]
    }
    func eight(_ values: [Double]) -> Pixel {
      let bytes = values.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
      return Pixel(bytes[0], bytes[1], bytes[2])
    }
    let srgb = TestPicture.jpeg(width: 128, height: 128, quality: 100) { x, y in eight(wave(x, y)) }
    let wide = TestPicture.jpeg(width: 128, height: 128, quality: 100) { x, y in
      let light = wave(x, y).map(Colorimetry.light(ofSRGB:))
      let xyz = Colorimetry.xyz(light, TestProfile.sRGBColorants)
      let own = Colorimetry.light(ofXYZ: xyz, TestProfile.displayP3Colorants)
      return eight(own.map(Colorimetry.sRGB(ofLight:)))
    }
    let profile = SRGB.profile(colorants: TestProfile.displayP3Colorants)
    let size = PixelSize(width: 64, height: 64)
    let first = try Rendered.whole(srgb, size)
    let second = try Rendered.whole(
      Anatomy.jpeg(wide, adding: [TestProfile.jpegSegment(profile)]), size)
    let ignored = try Rendered.whole(wide, size)
    var (largest, without) = (0.0, 0.0)
    for y in 0..<64 {
      for x in 0..<64 {
        largest = max(largest, Colorimetry.deltaE(first[x, y], second[x, y]))
        without = max(without, Colorimetry.deltaE(first[x, y], ignored[x, y]))
      }
    }
    #expect(largest <= 2)
    // Published test data checks the metric itself.
    let published: [(first: [Double], second: [Double], distance: Double)] = [
      ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 2.5, 0], [73, 25, -18], 27.1492),
    ]
    for pair in published {
      #expect(abs(Colorimetry.deltaE(lab: pair.first, pair.second) - pair.distance) < 1e-4)
    }
    // Proves that the test can fail: without its profile, the file looks different.
    #expect(without > 3)
  }
}

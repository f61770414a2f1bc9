import CLinux
import Foundation
import Imaging
import Recipes
import TestSupport

/// I4: files that end too early are completed or refused.
struct CutFileTests {
  /// The expected result for a file that lacks some bytes at its end.
  enum Outcome {
    case whole
    /// Up to a tenth of the rows, or of the last pass, repeat the row above.
    case filled
    /// The last scans are missing, but each row has pixels.
    case coarse
    case refused
  }

  struct Cut: Sendable, CustomTestStringConvertible {
    let name: String
    let file: Data
    let lost: Int
    let outcome: Outcome

    var testDescription: String { "\(name) without \(lost) of \(file.count) bytes" }
  }

  private static let (width, height) = (24, 160)
  /// `M_PERTURB` from malloc.h.
  private static let perturb: Int32 = -6
  private static func paint(_ x: Int, _ y: Int) -> TestPicture.Pixel {
    let value = (x &* 73 &+ y &* 151 &+ (x &* y &* 7) / 3) & 255
    return TestPicture.Pixel(UInt8(value), UInt8((value &* 5 &+ y) & 255), UInt8(y))
  }

  private static func jpeg(
    _ colors: TestPicture.JPEGColors = .color, isProgressive: Bool = false, restarts: Int? = nil
  ) -> Data {
    TestPicture.jpeg(
      width: width, height: height, colors: colors, isProgressive: isProgressive,
      restartInterval: restarts, pixel: paint)
  }

  private static func gif(frames: Int = 1, isInterlaced: Bool = false) -> Data {
    var file = TestPicture.gif(width: width, height: height, frames: frames) { frame, x, y in
      frame == 0 ? TestPicture.Pixel(UInt8(y), UInt8(y / 2), 9) : .red
    }
    // The flag reorders the rows, which does not affect this test.
    if isInterlaced, let frame = file.firstRange(of: [0x2C, 0, 0, 0, 0, UInt8(width), 0]) {
      file[frame.lowerBound + 9] |= 0x40
    }
    return file
  }

  /// Returns the bytes from the start of the last scan or frame to the end of the file.
  private static func last(_ mark: [UInt8], of file: Data) -> Int {
    file.count - (file.lastRange(of: mark)?.lowerBound ?? 0)
  }

  static let cuts: [Cut] = {
    let progressive = jpeg(isProgressive: true)
    let lastScan = last([0xFF, 0xDA], of: progressive)
    let animation = gif(frames: 2)
    var cuts: [Cut] = []
    func add(_ name: String, _ file: Data, _ losses: [(lost: Int, outcome: Outcome)]) {
      cuts += losses.map { Cut(name: name, file: file, lost: $0.lost, outcome: $0.outcome) }
    }
    let sequential = [
      ("JPEG", jpeg()), ("grey JPEG", jpeg(.gray)), ("CMYK JPEG", jpeg(.cmyk)),
      ("JPEG with restarts", jpeg(restarts: 2)),
    ]
    for (name, file) in sequential {
      let share = file.count / 100
      add(name, file, [(1, .whole), (2, .whole), (4 * share, .filled), (20 * share, .refused)])
    }
    add(
      "progressive JPEG", progressive,
      [
        (1, .whole), (2, .whole), (lastScan / 25, .coarse), (lastScan / 2, .refused),
        (lastScan - 3, .coarse), (lastScan, .coarse),
      ])
    for isInterlaced in [false, true] {
      let png = TestPicture.png(
        width: width, height: height, interlaced: isInterlaced, dataChunk: 500, pixel: paint)
      let share = png.count / 100
      add(
        isInterlaced ? "interlaced PNG" : "PNG", png,
        [
          (1, .whole), (12, .whole), (16, .whole), (20, .whole), (24, .filled),
          (4 * share, .filled), ((isInterlaced ? 8 : 14) * share, .refused), (60 * share, .refused),
        ])
      let gif = gif(isInterlaced: isInterlaced)
      // The cut is after the palette.
      let data = (gif.count - 800) / 100
      add(
        isInterlaced ? "interlaced GIF" : "GIF", gif,
        [
          (1, .whole), (2, .whole), (4 * data, .refused), (60 * data, .refused),
        ])
    }
    add("animated GIF", animation, [(1, .whole), (last([0x2C], of: animation) / 2, .whole)])
    return cuts
  }()

  @Test(arguments: cuts)
  func `a truncated picture is filled or rejected and never exposes memory`(cut: Cut) throws {
    let whole = try picture(cut.file)
    #expect(!whole.isCut)
    #expect(whole.flags.isEmpty)
    let file = cut.file.dropLast(cut.lost)
    // Fills new memory with a pattern. Later tests are not affected by the pattern.
    let found = [170, 85].map { (pattern: Int32) -> Result<Found, any Error> in
      _ = linux_mallopt(Self.perturb, pattern)
      return Result { try picture(file) }
    }
    guard cut.outcome != .refused else {
      for result in found {
        #expect(throws: Rejection.self) { try result.get() }
        if case .failure(let error as Rejection) = result {
          #expect(error.reason == Reason.truncated)
        }
      }
      return
    }
    let (first, second) = (try found[0].get(), try found[1].get())
    #expect(first.pixels == second.pixels)
    #expect(first.isCut)
    let flags: PictureTraits.Flags = cut.outcome == .whole ? [] : .truncated
    #expect(first.flags == flags)
    let rows = (0..<Self.height).map { y in
      (whole: row(y, of: whole.pixels), shown: row(y, of: first.pixels))
    }
    let changed = rows.indices.filter { rows[$0].whole != rows[$0].shown }
    switch cut.outcome {
    case .whole: #expect(changed.isEmpty)
    case .filled:
      // In a JPEG, the row above also changes, because upsampling mixes its chroma with rows below.
      let most = Self.height / 10 + 1
      #expect(!changed.isEmpty && changed.count <= most)
      let repeated = changed.filter { rows[$0].shown == rows[$0 - 1].shown }
      #expect(repeated == changed)
    default: break
    }
  }

  @Test func `a WebP may lack up to one per cent of its bytes, and at most 12`() throws {
    let file = TestPicture.webp(width: Self.width, height: Self.height, pixel: Self.paint)
    for lost in [1, 2] { #expect(try Inspection(inspecting: file.dropLast(lost)).isCut) }
    #expect(rejection(of: file.dropLast(13))?.reason == .truncated)
    let small = TestPicture.webp(width: 1, height: 1, pixel: Self.paint)
    #expect(rejection(of: small.dropLast(2))?.reason == .truncated)
    var longer = file
    longer[4] += 10
    let (padded, plain) = (try picture(longer), try picture(file))
    #expect(padded.pixels == plain.pixels)
  }

  /// A tRNS chunk may contain a 16-bit colour for an 8-bit picture.
  @Test func `only the lower bytes of a 16-bit tRNS colour are used in an 8-bit PNG`() throws {
    let kind = TestPicture.PNGKind(colorType: 2, depth: 8)
    let color = TestPicture.chunk("tRNS", [UInt8](repeating: 255, count: 6))
    let file = TestPicture.png(width: 4, height: 1, kind: kind, before: [color]) { x, _ in
      x < 2 ? TestPicture.Pixel(255, 255, 255) : .red
    }
    let pixels = try Rendered.whole(file)
    let alphas: [UInt8] = [3, 7, 11, 15].map { pixels.bytes[$0] }
    #expect(alphas == [0, 0, 255, 255] as [UInt8])
  }

  private typealias Found = (pixels: Pixels, flags: PictureTraits.Flags, isCut: Bool)

  private func picture(_ file: Data) throws -> Found {
    try ImageMagick.start()
    let inspection = try Inspection(inspecting: file)
    var picture = try Picture(.encoded(inspection, reduction: 1), file)
    let image = try picture.rendered(.simple(Self.width, Self.height, fit: .stretch))
    return (try Pixels(image), image.metadata.traits?.flags ?? [], inspection.isCut)
  }

  private func row(_ y: Int, of pixels: Pixels) -> ArraySlice<UInt8> {
    let bytes = pixels.bytes[y * pixels.width * 4..<(y + 1) * pixels.width * 4]
    return ArraySlice(Array(bytes))
  }
}

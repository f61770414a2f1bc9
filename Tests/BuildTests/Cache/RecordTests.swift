import SiteSupport

struct RecordTests {
  private static func asset(_ metadata: RenderMetadata = RenderMetadata()) -> Asset {
    Asset(
      digest: Digest(of: [1, 2, 3]), format: .png, width: 192, height: 100, bytes: 12_345,
      metadata: metadata)
  }

  private static let placeholder = Placeholder(
    thumbHash: (1...25).map { UInt8($0) }, color: Color(red: 1, green: 200, blue: 255))
  private static let focus = FoundFocus(focus: Focus(x: 0.41, y: 0.2), method: .face, zoom: 1.6)

  private static let renders: [Result<Asset, Rejection>] =
    [nil, placeholder].flatMap { placeholder in
      [nil, focus].flatMap { focus in
        [nil, 1, 100].map { quality in
          .success(asset(RenderMetadata(placeholder: placeholder, focus: focus, quality: quality)))
        }
      }
    } + [.failure(Rejection(.corrupt, "früh"))]

  @Test func `a render record survives a round trip`() {
    for render in Self.renders {
      #expect(RenderRecord.render(of: RenderRecord.bytes(of: render)) == render)
    }
  }

  @Test func `a truncated or extended record is rejected`() {
    for render in Self.renders {
      let bytes = RenderRecord.bytes(of: render)
      for count in 0..<bytes.count {
        #expect(RenderRecord.render(of: Array(bytes.prefix(count))) == nil)
      }
      #expect(RenderRecord.render(of: bytes + [0]) == nil)
    }
  }

  @Test func `a record in an earlier format is rejected`() {
    // The old format had a digest, width, height and bytes, but no metadata.
    var old = RenderRecord.bytes(of: .success(Self.asset()))
    old.removeLast(9)
    old[0] = 0
    #expect(old.count == 49 && RenderRecord.render(of: old) == nil)
  }

  @Test func `an inspection record contains the number of frames`() {
    let size = PixelSize(width: 8, height: 9)
    for frames in [1, 2, 10_000] {
      let inspection = Inspection(format: .gif, size: size, orientation: 1, frames: frames)
      let bytes = InspectionRecord.bytes(of: .success(inspection))
      #expect(InspectionRecord.facts(of: bytes) == .success(inspection))
      #expect(inspection.isAnimated == (frames > 1))
    }
  }

  @Test func `random bytes never crash the parser`() {
    var random = SeededRandom(seed: 9)
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if !bytes.isEmpty { bytes[0] = 3 }
      guard let render = RenderRecord.render(of: bytes) else { continue }
      #expect(RenderRecord.render(of: RenderRecord.bytes(of: render)) == render)
    }
  }

  @Test func `flipping a bit changes or invalidates a record`() {
    let inspection = Inspection(
      format: .gif, size: PixelSize(width: 8, height: 9), orientation: 1, frames: 2)
    let inspections: [Result<Inspection, Rejection>] = [
      .success(inspection), .failure(Rejection(.corrupt, "früh")),
    ]
    for render in Self.renders {
      for bytes in Self.flipped(RenderRecord.bytes(of: render)) {
        #expect(RenderRecord.render(of: bytes) != render)
      }
    }
    for facts in inspections {
      for bytes in Self.flipped(InspectionRecord.bytes(of: facts)) {
        #expect(InspectionRecord.facts(of: bytes) != facts)
      }
    }
  }

  private static func flipped(_ bytes: [UInt8]) -> [[UInt8]] {
    (0..<bytes.count * 8).map { bit in
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      return flipped
    }
  }

  /// Records of a damaged index are validated like a worker's messages.
  @Test(arguments: [
    RenderMetadata(placeholder: Placeholder(thumbHash: [1, 2, 3, 4], color: .white)),
    RenderMetadata(
      placeholder: Placeholder(thumbHash: [UInt8](repeating: 1, count: 26), color: .white)),
    RenderMetadata(focus: FoundFocus(focus: Focus(x: 1.1, y: 0), method: .face)),
    RenderMetadata(focus: FoundFocus(focus: Focus(x: 0, y: -0.1), method: .face)),
    RenderMetadata(focus: FoundFocus(focus: Focus(x: .nan, y: 0), method: .smart)),
    RenderMetadata(focus: FoundFocus(focus: .center, method: .face, zoom: 0.9)),
    RenderMetadata(quality: 0), RenderMetadata(quality: 101),
  ])
  func `a record with impossible values is rejected`(metadata: RenderMetadata) {
    let bytes = RenderRecord.bytes(of: .success(Self.asset(metadata)))
    #expect(RenderRecord.render(of: bytes) == nil)
  }

  @Test func `a record with unknown fields is rejected`() {
    var bytes = RenderRecord.bytes(of: .success(Self.asset()))
    #expect(bytes.last == 0)
    bytes[bytes.count - 1] = 16
    #expect(RenderRecord.render(of: bytes) == nil)
  }
}

import SiteSupport

struct RenderedImagesTests {
  private func content() throws -> SiteContent {
    let manifest = try #require(try ManifestText.style("name: s").read().manifest)
    return SiteContent(manifest, StyleResources())
  }

  private func slot(_ source: Int, _ plan: Int) -> SlotID {
    SlotID(source: source, variant: Variant(plan: plan))
  }

  private func image(_ width: Int32, _ metadata: RenderMetadata = RenderMetadata()) -> Asset {
    Asset(
      digest: Digest(of: [UInt8(width)]), format: .png, width: width, height: width, bytes: 1,
      metadata: metadata)
  }

  private func placeholder(_ hash: UInt8, count: Int = 25) -> Placeholder {
    Placeholder(
      thumbHash: [UInt8](repeating: hash, count: count), color: Color(red: 1, green: 2, blue: 3))
  }

  @Test func `the placeholder comes from the first format at the largest scale`() throws {
    var set = try content()
    set.add(
      .success([
        image(10, RenderMetadata(placeholder: placeholder(1))),
        image(30, RenderMetadata(placeholder: placeholder(2, count: 7))),
        image(30, RenderMetadata(placeholder: placeholder(3))), image(20),
      ]), for: slot(4, 5))
    #expect(set.placeholder(of: slot(4, 5)) == placeholder(2, count: 7))
    #expect(set.placeholder(of: slot(5, 4)) == nil)
    #expect(set.assets(of: slot(4, 5))?.map(\.width) == [10, 30, 30, 20])
  }

  @Test func `a style has one focus point, but each image has its own quality`() throws {
    let focus = FoundFocus(focus: Focus(x: 0.4, y: 0.2), method: .smart)
    var set = try content()
    set.add(.success([image(1), image(2, RenderMetadata(focus: focus))]), for: slot(0, 0))
    set.add(.success([image(1, RenderMetadata(quality: 33)), image(2)]), for: slot(0, 1))
    #expect(set.focus(of: slot(0, 0)) == focus && set.focus(of: slot(0, 1)) == nil)
    #expect(set.assets(of: slot(0, 1))?.map(\.metadata.quality) == [33, nil])
  }

  @Test func `newly rendered images replace earlier ones`() throws {
    var set = try content()
    set.add(
      .success([image(1, RenderMetadata(placeholder: placeholder(1), quality: 5))]),
      for: slot(0, 0))
    set.add(.success([image(1)]), for: slot(0, 0))
    #expect(set.placeholder(of: slot(0, 0)) == nil)
    #expect(set.assets(of: slot(0, 0))?.map(\.metadata.quality) == [nil])
  }
}

import Plan
import Recipes
import Store
import Testing

/// What was found out, by source and style.
struct RenderedSetTests {
  private func render(_ width: Int32, _ metadata: RenderMetadata = RenderMetadata()) -> Render {
    Render(
      Asset(digest: Digest(of: [UInt8(width)]), width: width, height: width, bytes: 1),
      metadata: metadata)
  }

  private func placeholder(_ hash: UInt8, count: Int = 25) -> Placeholder {
    Placeholder(
      thumbHash: [UInt8](repeating: hash, count: count), color: Color(red: 1, green: 2, blue: 3))
  }

  @Test func `the placeholder is that of the largest scale and its first format`() {
    var set = RenderedSet()
    set.add(
      [
        render(10, RenderMetadata(placeholder: placeholder(1))),
        render(30, RenderMetadata(placeholder: placeholder(2, count: 7))),
        render(30, RenderMetadata(placeholder: placeholder(3))), render(20),
      ], source: 4, look: 5)
    #expect(set.placeholder(source: 4, look: 5) == placeholder(2, count: 7))
    #expect(set.placeholder(source: 5, look: 4) == nil)
    #expect(set.assets(source: 4, look: 5)?.map(\.width) == [10, 30, 30, 20])
  }

  @Test func `a focus counts once, a quality for each image`() {
    let focus = FoundFocus(focus: Focus(x: 0.4, y: 0.2), way: .smart)
    var set = RenderedSet()
    set.add([render(1), render(2, RenderMetadata(focus: focus))], source: 0, look: 0)
    set.add([render(1, RenderMetadata(quality: 33)), render(2)], source: 0, look: 1)
    #expect(set.focus(source: 0, look: 0) == focus && set.focus(source: 0, look: 1) == nil)
    #expect(set.quality(source: 0, look: 0, variant: 0) == nil)
    #expect(set.quality(source: 0, look: 1, variant: 0) == 33)
    #expect(set.quality(source: 0, look: 1, variant: 1) == nil)
    #expect(set.quality(source: 0, look: 1, variant: 2) == nil)
  }

  @Test func `what is rendered again is known anew`() {
    var set = RenderedSet()
    set.add(
      [render(1, RenderMetadata(placeholder: placeholder(1), quality: 5))], source: 0, look: 0)
    set.add([render(1)], source: 0, look: 0)
    #expect(set.placeholder(source: 0, look: 0) == nil)
    #expect(set.quality(source: 0, look: 0, variant: 0) == nil)
  }
}

import Recipes
import TestSupport

struct WebPInspectionTests {
  private let picture = Array(
    TestPicture.webp(width: 20, height: 10) { _, _ in .red }.dropFirst(12))

  @Test func `canvas and picture must have the same size`() {
    let good = TestPicture.riff([TestPicture.canvas(width: 20, height: 10, flags: 0), picture])
    #expect(rejection(of: good) == nil)
    let bad = TestPicture.riff([TestPicture.canvas(width: 21, height: 10, flags: 0), picture])
    #expect(rejection(of: bad)?.reason == .corrupt)
  }

  @Test func `a frame outside the canvas is rejected`() throws {
    func animation(left: Int, top: Int) -> Data {
      var frame: [UInt8] = .little(left / 2, width: 3) + .little(top / 2, width: 3)
      for number in [19, 9, 100] { frame.appendLittle(number, width: 3) }
      return TestPicture.riff([
        TestPicture.canvas(width: 30, height: 30, flags: 2),
        TestPicture.riffChunk("ANIM", [0, 0, 0, 0, 0, 0]),
        TestPicture.riffChunk("ANMF", frame + [0] + picture),
      ])
    }
    let inside = try Inspection(inspecting: animation(left: 10, top: 20))
    #expect(inside.size == PixelSize(width: 30, height: 30))
    #expect(rejection(of: animation(left: 12, top: 20))?.reason == .corrupt)
    #expect(rejection(of: animation(left: 10, top: 22))?.reason == .corrupt)
  }

  @Test func `a file without a picture is rejected`() {
    let canvas = TestPicture.canvas(width: 20, height: 10, flags: 0)
    #expect(rejection(of: TestPicture.riff([canvas]))?.reason == .corrupt)
    #expect(
      rejection(of: TestPicture.riff([TestPicture.canvas(width: 20, height: 10, flags: 2)]))?
        .reason == .corrupt)
    #expect(
      rejection(of: TestPicture.riff([TestPicture.riffChunk("JUNK", [1, 2])]))?.reason == .corrupt)
    #expect(rejection(of: TestPicture.riff([]))?.reason == .corrupt)
  }
}

import Recipes
import TestSupport

struct GIFInspectionTests {
  @Test func `a GIF screen grows to fit the first frame`() throws {
    let file = TestPicture.gif(width: 20, height: 10, screen: (5, 30)) { _, _, _ in .red }
    #expect(try Inspection(inspecting: file).size == PixelSize(width: 20, height: 30))
    let none = TestPicture.gif(width: 20, height: 10, screen: (0, 0)) { _, _, _ in .red }
    #expect(try Inspection(inspecting: none).size == PixelSize(width: 20, height: 10))
  }

  @Test func `a GIF may lack its trailer or end with stray bytes`() {
    let file = TestPicture.gif(width: 20, height: 10) { _, _, _ in .red }
    #expect(rejection(of: file.dropLast()) == nil)
    #expect(rejection(of: file.dropLast(2)) == nil)
    #expect(rejection(of: file.dropLast() + Data([0, 0, 0x3B])) == nil)
    #expect(rejection(of: file.dropLast() + Data([7, 0x3B])) == nil)
    #expect(rejection(of: file.prefix(781) + Data([7]) + file.dropFirst(781))?.reason == .corrupt)
    #expect(rejection(of: file.prefix(781) + Data([0x3B]))?.reason == .corrupt)
    let empty = Data([0x2C, 0, 0, 0, 0, 20, 0, 10, 0, 0, 8, 0, 0x3B])
    #expect(rejection(of: file.prefix(781) + empty)?.detail == "a GIF frame is empty")
  }
}

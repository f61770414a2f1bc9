import Foundation
import Imaging
import TestSupport
import Testing

struct WebPInspectionTests {
  private let picture = Array(
    TestPicture.webp(width: 20, height: 10) { _, _ in .red }.dropFirst(12))

  @Test func `canvas and picture must have one size`() {
    let good = TestPicture.riff([TestPicture.canvas(width: 20, height: 10, flags: 0), picture])
    #expect(rejection(of: good) == nil)
    let bad = TestPicture.riff([TestPicture.canvas(width: 21, height: 10, flags: 0), picture])
    #expect(rejection(of: bad)?.reason == .corrupt)
  }

  @Test func `a frame lies on the canvas`() throws {
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

  @Test func `a file without a picture is refused`() {
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

struct GIFInspectionTests {
  @Test func `a screen that is too small grows with the first frame`() throws {
    let file = TestPicture.gif(width: 20, height: 10, screen: (5, 30)) { _, _, _ in .red }
    #expect(try Inspection(inspecting: file).size == PixelSize(width: 20, height: 30))
    let none = TestPicture.gif(width: 20, height: 10, screen: (0, 0)) { _, _, _ in .red }
    #expect(try Inspection(inspecting: none).size == PixelSize(width: 20, height: 10))
  }

  @Test func `a trailer ends the file and its lack is a cut`() {
    let file = TestPicture.gif(width: 20, height: 10) { _, _, _ in .red }
    #expect(rejection(of: file.dropLast())?.reason == .truncated)
    #expect(rejection(of: file.dropLast() + Data([0, 0, 0x3B])) == nil)
    #expect(rejection(of: file.dropLast() + Data([7, 0x3B]))?.reason == .corrupt)
    #expect(rejection(of: file.prefix(781) + Data([0x3B]))?.reason == .corrupt)
  }
}

struct HEIFInspectionTests {
  @Test func `crop and rotation are part of the size`() throws {
    let size = { (file: Data) in try Inspection(inspecting: file).size }
    let plain = TestPicture.heifStructure(width: 640, height: 480)
    #expect(try size(plain) == PixelSize(width: 640, height: 480))
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

  @Test func `a grid states the same size as the file`() {
    let good = TestPicture.heifStructure(width: 640, height: 480, tiles: (3, 2))
    #expect(rejection(of: good) == nil)
    let bad = TestPicture.heifStructure(
      width: 640, height: 480, tiles: (3, 2), gridSize: (640, 481))
    #expect(rejection(of: bad)?.reason == .corrupt)
  }

  @Test func `data that a box of open length hides is still missed`() throws {
    var file = [UInt8](TestPicture.heifStructure(width: 64, height: 48, dataBytes: 200))
    let data = file.count - 208
    file.replaceSubrange(data..<data + 4, with: [0, 0, 0, 0])
    #expect(rejection(of: file) == nil)
    #expect(rejection(of: file.dropLast())?.reason == .truncated)
  }
}

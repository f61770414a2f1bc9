import Foundation
import Imaging
import Recipes
import Testing

struct DetectorDataTests {
  /// A detector in OpenCV's format that tests whether the left half is brighter than the right.
  private func detector(
    node: String = "0 -1 0 1.1", leaves: String = "0. 1.", stage: String = "5.0e-01",
    whole: String = "0 0 20 20 -1.", tilted: String = "0", width: String = "20",
    last: String = ""
  ) -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <!-- a note -->
      <opencv_storage><cascade type_id="opencv-cascade-classifier">
      <height>20</height><width>\(width)</width><stageNum>1</stageNum>
      <stages><_><maxWeakCount>1</maxWeakCount><stageThreshold>\(stage)</stageThreshold>
      <weakClassifiers><_><internalNodes>\(node)</internalNodes>
      <leafValues>\(leaves)</leafValues></_></weakClassifiers></_></stages>
      <features><_><rects><_>\(whole)</_><_>0 0 10 20 2.</_></rects>
      <tilted>\(tilted)</tilted></_></features>\(last)</cascade></opencv_storage>
      """.utf8)
  }

  private let edge = Pixels(width: 300, height: 100) { x, _ in
    x < 200 ? [200, 200, 200, 255] : [60, 60, 60, 255]
  }

  private func found(_ detector: Data?) throws -> FoundFocus {
    try ImageMagick.start()
    var picture = try Picture(
      .raster(edge.size), Data(edge.bytes),
      resources: RenderResources(detector.map { ["detector": $0] } ?? [:]))
    var recipe = Recipe.simple(100)
    recipe.frame.finder = .face(detector: "detector", headRoom: 0, isSmartOtherwise: false)
    return try #require(try picture.rendered(recipe).metadata.focus)
  }

  @Test func `a detector finds its pattern`() throws {
    let focus = try found(detector())
    #expect(focus.method == .face)
    #expect(abs(focus.focus.x * 300 - 200) <= 3)
    // A feature may have a third rectangle.
    #expect(try found(detector(whole: "0 0 20 20 -2.</_><_>0 0 20 20 1.")).method == .face)
    // With inverted votes, the detector finds nothing.
    #expect(try found(detector(leaves: "1. 0.", stage: "1.5")).method == .given)
    #expect(try found(detector(whole: "0 0 20 20 -3.")).method == .given)
  }

  @Test func `without valid detector data, the given focus is kept`() throws {
    let given = FoundFocus(focus: .center, method: .given)
    #expect(try found(nil) == given)
    let bad = [
      Data(), Data("<xml".utf8), detector(node: "0 -1 1 1.1"), detector(node: "1 -1 0 1.1"),
      detector(node: "0 -1 -1 1.1"), detector(node: "0 -1"), detector(leaves: "1."),
      detector(whole: "0 0 21 20 -1."), detector(whole: "1 0 20 20 -1."),
      detector(whole: "0 0 99999999999999999999 20 -1."), detector(whole: "-1 0 9 20 -1."),
      detector(tilted: "1"), detector(width: "900"), detector(width: "1e40"),
      detector(whole: "0 0 20 20 -9223372036854775808."), detector(whole: "0 0 20 20 101"),
      detector(last: "<width>8</width>"), detector(last: "<height>9</height>"),
      detector(last: "<width>20</width>"),
      detector(stage: ""), detector(whole: "0 0 20 0 -1."), Data(repeating: 60, count: 5 << 20),
    ]
    for data in bad {
      #expect(Cascade(reading: data) == nil, "\(String(decoding: data.prefix(900), as: UTF8.self))")
      #expect(try found(data) == given)
    }
  }

  @Test func `a truncated detector file is rejected`() {
    let whole = detector()
    #expect(Cascade(reading: whole) != nil)
    let end = whole.count - "</tilted></_></features></cascade></opencv_storage>".utf8.count - 1
    for length in 0..<end {
      let isWhole = Cascade(reading: whole.prefix(length)) != nil
      // A cut after the last rectangle removes only closing tags.
      #expect(!isWhole || length > end - 30)
    }
  }

  @Test(arguments: [
    (1, 1), (1, 7), (7, 1), (2, 300), (300, 2), (1, 5000), (5000, 1), (19, 21), (21, 60), (61, 22),
  ])
  func `detection works in pictures of any size and shape`(width: Int, height: Int) throws {
    try ImageMagick.start()
    for alpha in [0, 255] as [UInt8] {
      let pixels = Pixels(width: width, height: height) { x, y in
        [UInt8(truncatingIfNeeded: x * 37), UInt8(truncatingIfNeeded: y * 53), 90, alpha]
      }
      var picture = try Picture(
        .raster(pixels.size), Data(pixels.bytes),
        resources: RenderResources(["detector": detector()]))
      let face = FocusFinder.face(detector: "detector", headRoom: 3, isSmartOtherwise: true)
      for finder in [FocusFinder.smart, face] {
        for (across, down) in [(10, 10), (30, 9), (7, 40)] {
          var recipe = Recipe.simple(across, down)
          recipe.frame.finder = finder
          let image = try picture.rendered(recipe)
          let focus = try #require(image.metadata.focus).focus
          #expect((0...1).contains(focus.x) && (0...1).contains(focus.y))
          recipe.frame.finder = nil
          recipe.frame.focus = focus
          #expect(image.bytes == (try picture.rendered(recipe)).bytes)
        }
      }
    }
  }
}

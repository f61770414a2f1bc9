import SiteSupport

struct OptionFuzzTests {
  /// Parses each manifest and decodes in-process, so that a crash fails the test.
  @Test(arguments: 0..<8)
  func `no combination of options causes a crash`(part: Int) throws {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
    for number in 0..<(Extent.isAll ? 250 : 25) {
      let seed = UInt64(part * 1_000_000 + number)
      var style = RandomStyle(seed: seed)
      let keys = style.keys()
      var pictures = RandomPicture(seed: seed)
      let file = pictures.file()
      let what = "seed \(seed): { \(keys) }, \(file.count) bytes"
      let text = ManifestText(text: "version: 1\navatars:\n  - { \(keys) }\nusers: [{ id: a }]\n")
      let problems = try text.problems()
      let manifest = try #require(try text.read().manifest, "\(what)\n\(problems)")
      let inspection = try Inspection(inspecting: file)
      for variant in StylePlan(manifest.styles[0]).picture {
        var picture = try Picture(
          .encoded(inspection, reduction: inspection.reduction(for: variant.recipe.frame)), file)
        let image = try picture.rendered(variant.recipe)
        let read = try Inspection(inspecting: image.bytes)
        #expect(read.size == variant.recipe.size && read.orientation == 1, "\(what)")
      }
    }
  }
}

import SiteSupport

struct PinnedFocusTests {
  private func site(
    width: Int, height: Int, foci: [[String]?], styles: [String] = [TestSite.small]
  ) throws -> TestSite {
    let site = try TestSite()
    try site.put(
      TestPicture.png(width: width, height: height) { x, y in
        TestPicture.Pixel(UInt8(x * 4 % 256), UInt8(y * 4 % 256), 90)
      }, at: "a.png")
    try site.write(foci.enumerated().map { Person("u\($0)", "a.png", focus: $1) }, styles: styles)
    return site
  }

  private func percents(_ count: Int) -> [[String]] {
    (0..<count).map { ["\($0)%", "\(100 - $0)%"] }
  }

  @Test func `people with different focus points share a picture that is not cropped`() throws {
    let site = try site(
      width: 32, height: 32, foci: [nil] + percents(60),
      styles: [TestSite.small, "name: large, size: 24, scales: [1, 2], formats: [png]"])
    #expect(try site.build().report.counters.decodes == 1)
    #expect(site.assetFiles().count == 3)
  }

  @Test func `the focus point does not affect colours or drawn avatars`() throws {
    let site = try TestSite()
    try site.write(
      percents(40).enumerated().map { number, focus in
        Person(
          "u\(number)", name: "A B", number < 20 ? "color:#f00" : "initials", background: "#00f",
          focus: focus)
      }, styles: ["name: small, size: 16, scales: [1, 2], formats: [png]"])
    let counters = try site.build().report.counters
    #expect(counters.renders == 4)
    #expect(counters.deduped == 76)
  }

  @Test func `only the focus along the cropped axis affects the picture`() throws {
    let wide = try site(
      width: 48, height: 16,
      foci: [["50%", "0%"], ["50%", "100%"], ["40%", "9%"], ["40%", "50%"], nil])
    #expect(try wide.build().exitStatus == 0)
    #expect(wide.assetFiles().count == 2)
    #expect(try wide.image(of: "u2").path == wide.image(of: "u3").path)
    let tall = try site(
      width: 16, height: 48, foci: [["0%", "50%"], nil, ["9%", "40%"], ["50%", "40%"]])
    #expect(try tall.build().exitStatus == 0)
    #expect(tall.assetFiles().count == 2)
  }

  @Test func `a focus point clamped to the edge matches a focus point on the edge`() throws {
    let site = try site(
      width: 64, height: 16, foci: [["0%", "0%"], ["12%", "0%"], ["13%", "0%"], ["100%", "0%"]])
    #expect(try site.build().exitStatus == 0)
    #expect(site.assetFiles().count == 3)
    #expect(try site.image(of: "u0").path == site.image(of: "u1").path)
    #expect(try site.image(of: "u0").path != site.image(of: "u2").path)
  }

  @Test func `a style's focus is ignored if nothing is cropped`() throws {
    let styles = [TestSite.small, TestSite.small.replacing("small", with: "top") + ", focus: top"]
    for (height, files) in [(20, 1), (60, 2)] {
      let site = try site(width: 20, height: height, foci: [nil], styles: styles)
      #expect(try site.build().exitStatus == 0)
      #expect(site.assetFiles().count == files)
    }
  }

  /// The finder's result is reported, except for users with a pinned point.
  @Test func `a pinned focus point disables the focus finder`() throws {
    let site = try site(
      width: 32, height: 32, foci: [nil, ["0%", "0%"], ["9%", "9%"]],
      styles: [TestSite.small + ", focus: smart"])
    #expect(try site.build().report.counters.renders == 3)
    #expect(try site.text("assets.json").split(separator: "\"focus\"").count == 2)
  }
}

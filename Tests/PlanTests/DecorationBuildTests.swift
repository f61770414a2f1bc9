import SiteSupport

struct DecorationBuildTests {
  private func site(_ style: String, _ people: [Person]) throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.put(
      TestPicture.gif(width: 8, height: 8, frames: 2) { _, _, _ in .red }, at: "moving.gif")
    try site.put(TestPicture.png(width: 8, height: 32) { _, _ in .red }, at: "tall.png")
    try site.paint("badge.png", .blue)
    try site.write(
      people, styles: ["name: small, size: 32, shape: square, formats: [png], \(style)"])
    try site.build()
    return site
  }

  /// G36: a hairline stays one pixel wide at every scale.
  @Test func `a hairline is one pixel wide in the output file`() throws {
    let site = try site(
      "scales: [1, 2, 3], border: { width: hairline, color: blue }", [Person("a", "a.png")])
    for scale in [1.0, 2, 3] {
      let pixels = try site.pixels(of: "a", scale: scale)
      let last = Int(32 * scale) - 1
      let middle = last / 2
      for (x, y) in [(0, middle), (last, middle), (middle, 0), (middle, last)] {
        #expect(pixels[x, y] == [0, 0, 255, 255])
      }
      for (x, y) in [(1, middle), (last - 1, middle), (middle, 1), (middle, last - 1)] {
        #expect(pixels[x, y] == [255, 0, 0, 255])
      }
    }
  }

  /// G36: a 14 × 14 badge, 6 points from the right and bottom, in a transparent ring.
  @Test func `a badge is at its configured position`() throws {
    let site = try site(
      "scales: [1, 2], decorations: [{ badge: badge.png, name: vip, at: [8, 8], gap: 2 }]",
      [Person("a", "a.png"), Person("b", "a.png", decorations: ["vip"])])
    for scale in [1.0, 2] {
      let (plain, decorated) = (
        try site.pixels(of: "a", scale: scale), try site.pixels(of: "b", scale: scale)
      )
      let middle = Int(24 * scale)
      #expect(plain[middle, middle] == [255, 0, 0, 255])
      #expect(decorated[middle, middle] == [0, 0, 255, 255])
      // The badge takes 7 points, followed by 2 transparent points and the picture.
      let edge = middle - Int(7 * scale)
      #expect(decorated[edge + 1, middle] == [0, 0, 255, 255])
      #expect(decorated[edge - Int(scale), middle][3] == 0)
      #expect(decorated[edge - Int(3 * scale), middle] == [255, 0, 0, 255])
    }
  }

  @Test func `dots can depend on the source's properties`() throws {
    let dots = ["animated: lime, [6, 6]", "tall: blue, [26, 6]", "wide: white, [26, 26]"].map {
      let parts = $0.split(separator: ": ")
      let values = parts[1].split(separator: ", [")
      return "{ dot: \(values[0]), when: \(parts[0]), size: 8, at: [\(values[1]) }"
    }
    let site = try site(
      "scales: [1], decorations: [\(dots.joined(separator: ", "))]",
      [Person("a", "a.png"), Person("b", "moving.gif"), Person("c", "tall.png")])
    func spots(_ id: String) throws -> [[UInt8]] {
      let pixels = try site.pixels(of: id)
      return [pixels[26, 26], pixels[6, 26], pixels[6, 6]]
    }
    let red: [UInt8] = [255, 0, 0, 255]
    #expect(try spots("a") == [red, red, red])
    #expect(try spots("b") == [[0, 255, 0, 255], red, red])
    #expect(try spots("c") == [red, [0, 0, 255, 255], red])
  }
}

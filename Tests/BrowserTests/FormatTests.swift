import SiteSupport

extension InBrowser {
  struct FormatTests {
    @Test func `AVIF is preferred and has the same transparency as the PNG`() throws {
      let site = try TestSite()
      try site.paint("scene.png", .red, side: 200)
      try site.write(
        [Person("a", name: "Sample Otter", "scene.png")],
        styles: [
          "name: round, size: 48, scales: [2], formats: [webp, png, avif], "
            + "border: { width: 3, gap: 2, color: lime, mode: outside }"
        ])
      try site.buildAsWritten()
      let page = try Browser(scale: 2).page(width: 800, height: 600)
      try page.open(site.address(of: "index.html"))
      try page.wait(for: "document.querySelector('.person img').complete")
      let taken: String = try page.value(of: "document.querySelector('.person img').currentSrc")
      #expect(taken.hasSuffix(".avif"))
      let width: Int = try page.value(of: "document.querySelector('.person img').naturalWidth")
      #expect(width == 58)
      // The gallery's policy blocks `data:` URLs, so the test uses `about:blank`.
      try page.open("about:blank")
      let images = try #require(try site.assets().users["a"]?.avatars["round"])
      let seen = try ["avif", "png"].map { format -> [Int] in
        let image = try #require(images.first { $0.format == format })
        let bytes = try site.folder.read("output/\(image.path)").base64EncodedString()
        return try page.value(
          of: """
            (async () => {
              const image = new Image();
              image.src = "data:image/\(format);base64,\(bytes)";
              await image.decode();
              const canvas = document.createElement("canvas");
              [canvas.width, canvas.height] = [image.width, image.height];
              const context = canvas.getContext("2d");
              context.drawImage(image, 0, 0);
              return [...context.getImageData(0, 0, image.width, image.height).data];
            })()
            """)
      }
      let (avif, png) = (seen[0], seen[1])
      try #require(avif.count == png.count && avif.count == 116 * 116 * 4)
      for at in stride(from: 0, to: png.count, by: 4) {
        // Chromium 156 stretches the alpha of every AVIF as if its range were 16…235.
        let alpha = png[at + 3]
        let stretched = min(max((Double(alpha) - 16) * 255 / 219, 0), 255)
        #expect(avif[at + 3] == alpha || abs(Double(avif[at + 3]) - stretched) <= 1)
        for channel in at..<at + 3 {
          let seen = abs(avif[channel] - png[channel]) * min(alpha, avif[at + 3]) / 255
          if seen > 24 { Issue.record("\(at / 4): \(avif[channel]), \(png[channel])") }
        }
      }
    }
  }
}

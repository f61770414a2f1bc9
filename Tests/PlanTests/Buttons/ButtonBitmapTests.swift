import SiteSupport

struct ButtonBitmapTests {
  private func built(_ buttons: String...) throws -> TestSite {
    let site = try TestSite()
    try site.write([Person("a")], buttons: buttons)
    try site.build()
    return site
  }

  /// Reads a PNG of one pixel in Python: width, height, red, green, blue, alpha.
  private func onlyPixel(_ path: String) throws -> [Int] {
    let script = """
      import struct, sys, zlib
      data = open(sys.argv[1], "rb").read()
      assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
      chunks, offset = {}, 8
      while offset < len(data):
          length, kind = struct.unpack(">I4s", data[offset:offset + 8])
          body = data[offset + 8:offset + 8 + length]
          assert struct.unpack(">I", data[offset + 8 + length:][:4])[0] == zlib.crc32(kind + body)
          chunks[kind] = chunks.get(kind, b"") + body
          offset += 12 + length
      width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
      row = zlib.decompress(chunks[b"IDAT"])
      assert row[0] == 0 and (depth == 8 or color in (0, 3))
      trns = chunks.get(b"tRNS", b"")
      if color == 3:
          index = row[1] >> (8 - depth)
          alpha = trns[index] if index < len(trns) else 255
          pixel = [*chunks[b"PLTE"][index * 3:][:3], alpha]
      elif color == 0:
          grey = (row[1] >> (8 - depth)) * 255 // ((1 << depth) - 1)
          assert not trns
          pixel = [grey, grey, grey, 255]
      elif color == 4:
          pixel = [row[1], row[1], row[1], row[2]]
      else:
          pixel = [*row[1:4], row[4] if color == 6 else 255]
          assert not trns
      print(width, height, *pixel)
      """
    let run = try RunningProgram(["python3", "-c", script, path]).ending()
    #expect(run.status == 0)
    return run.out.split { $0.isWhitespace }.compactMap { Int($0) }
  }

  /// A transparent border does not take up any pixels.
  @Test(arguments: [(0, 1), (4, 9)])
  func `invisible borders do not enlarge pictures`(radius: Int, side: Int) throws {
    let site = try built(
      "name: b, normal: red, highlighted: same, radius: \(radius), emit: [png], "
        + "border: { width: 100, color: transparent }")
    let image = try #require(site.assets().buttons["b"]?["light"]?["normal"]?.images.first)
    #expect(image.width == side && image.height == side)
  }

  /// B1: a plain colour is one pixel in at most 100 bytes, exact in all four channels.
  @Test(arguments: [
    ("\"rgba(0,0,0,0.2)\"", [0, 0, 0, 51]), ("\"#0a84ff\"", [10, 132, 255, 255]),
    ("\"#0a84ff59\"", [10, 132, 255, 89]), ("white", [255, 255, 255, 255]),
    ("gray(50%)", [128, 128, 128, 255]), ("\"#fefefe01\"", [254, 254, 254, 1]),
    ("black", [0, 0, 0, 255]),
  ])
  func `a plain colour is stored as a single pixel`(color: String, rgba: [Int]) throws {
    let site = try built("name: b, normal: \(color), highlighted: same, emit: [png]")
    let image = try #require(site.assets().buttons["b"]?["light"]?["normal"]?.images.first)
    #expect(try site.assets().buttons["b"]?["light"]?["normal"]?.images.count == 1)
    #expect(image.bytes <= 100 && image.scale == 1 && image.format == "png")
    #expect(image.insets == AssetsFile.Inset(top: 0, right: 0, bottom: 0, left: 0))
    #expect(try site.folder.read("output/\(image.path)").count == image.bytes)
    #expect(try onlyPixel(site.folder.path(of: "output/\(image.path)")) == [1, 1] + rgba)
  }

  /// B6: states with equal colours share one file but remain separate states with their own rules.
  @Test func `states with the same colour remain separate`() throws {
    let site = try built(
      "name: b, normal: red, highlighted: same, selected: \"#f00\", emit: [css, png]")
    #expect(site.assetFiles().count == 1)
    let light = try #require(site.assets().buttons["b"]?["light"])
    #expect(Set(light.keys) == ["normal", "highlighted", "selected"])
    for state in light.values {
      #expect(state.color == "#ff0000ff" && state.images.map(\.path) == site.assetFiles())
    }
    let css = try site.text("buttons.css")
    for rule in [
      "--btn-normal: #ff0000;", "--btn-highlighted: #ff0000;", ".btn-b:active:",
      ".btn-b.as-image:active:", ".btn-b.as-image.is-selected {",
    ] {
      #expect(css.contains(rule), "\(rule)")
    }
  }

  /// B6: if two buttons use the same colours, both keep all their states.
  @Test func `buttons with the same colours share files`() throws {
    let site = try built(
      "name: a, normal: red, highlighted: blue, radius: 4, emit: [png]",
      "name: b, normal: blue, highlighted: red, radius: 4, emit: [png]")
    #expect(site.assetFiles().count == 6)
    let buttons = try site.assets().buttons
    let (a, b) = (try #require(buttons["a"]?["light"]), try #require(buttons["b"]?["light"]))
    #expect(a["normal"]?.images == b["highlighted"]?.images)
    #expect(a["highlighted"]?.images == b["normal"]?.images)
    #expect(a["normal"]?.images.map(\.width) == [9, 17, 25])
  }

  @Test func `assets.json contains the cap insets`() throws {
    let site = try built(
      "name: b, normal: red, radius: 4.5, border: { width: 1, color: blue }, emit: [png], "
        + "dark: { normal: black }")
    let buttons = try site.assets().buttons
    for appearance in ["light", "dark"] {
      let images = try #require(buttons["b"]?[appearance]?["normal"]?.images)
      #expect(images.map(\.scale) == [1, 2, 3])
      #expect(images.map(\.width) == [11, 19, 29] && images.map(\.height) == [11, 19, 29])
      #expect(images.map { $0.insets?.left } == [5, 9, 14])
      for image in images {
        let cap = image.width / 2
        #expect(image.insets == AssetsFile.Inset(top: cap, right: cap, bottom: cap, left: cap))
        let pixels = try Pixels(png: site.folder.read("output/\(image.path)"))
        #expect(pixels.width == image.width && pixels.height == image.height)
        #expect(pixels.center == (appearance == "light" ? [255, 0, 0, 255] : [0, 0, 0, 255]))
      }
    }
  }

  @Test func `button pictures are generated only if enabled`() throws {
    let site = try built("name: b, normal: red, radius: 4, emit: [css, png]")
    #expect(site.assetFiles().count == 3)
    #expect(try site.build().report.counters.renders == 0)
    try site.write([Person("a")], buttons: ["name: b, normal: red, radius: 4"])
    try site.build()
    #expect(site.assetFiles().isEmpty)
    #expect(try !site.text("buttons.css").contains("url("))
  }
}

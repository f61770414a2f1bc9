/// Random valid styles with any combination of options.
package struct RandomStyle {
  private var random: SeededRandom

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// Returns the keys of one valid style as a YAML flow mapping.
  package mutating func keys() -> String {
    let mayHaveAlpha = random.next(upTo: 8) > 0
    var keys = ["size: \(size())", "scales: [\(pick(["1", "2", "1, 2", "0.5, 1.5", "1, 3"]))]"]
    keys += ["shape: \(pick(["circle", "rounded", "continuous", "square"]))"]
    maybe { $0.radius() }.map { keys.append("radius: \($0)") }
    maybe { "[\($0.pick(["tl", "tl, br", "tr, bl, br"]))]" }.map { keys.append("corners: \($0)") }
    maybe { $0.pick(["fill", "contain", "stretch"]) }.map { keys.append("fit: \($0)") }
    maybe { $0.focus() }.map { keys.append("focus: \($0)") }
    maybe { $0.borders() }.map { keys.append("border: \($0)") }
    maybe { "{ \($0.colors()), direction: \($0.direction()) }" }.map {
      keys.append("overlay: \($0)")
    }
    maybe { $0.shadow() }.map { keys.append("shadow: \($0)") }
    maybe { $0.decorations() }.map { keys.append("decorations: \($0)") }
    maybe { "\"\($0.color())\"" }.map { keys += ["background: \($0)", "underlay: true"] }
    maybe { "\"\($0.color())\"" }.map { keys.append("tint: \($0)") }
    maybe { $0.pick(["0", "0.3", "2", "30"]) }.map { keys.append("blur: \($0)") }
    maybe { $0.pick(["true", "false"]) }.map { keys.append("grayscale: \($0)") }
    maybe { $0.pick(["1", "400", "90000"]) }.map { keys.append("maxBytes: \($0)") }
    if mayHaveAlpha {
      keys.append("formats: [\(pick(["png", "webp", "png, webp", "avif, png"]))]")
    } else {
      keys += ["opaque: true", "formats: [\(pick(["jpeg", "jpeg, png"]))]"]
    }
    return keys.joined(separator: ", ")
  }

  private mutating func size() -> String {
    pick(["1", "8", "16", "[24, 9]", "[7, 20]", "[1, 30]", "13.5"])
  }

  private mutating func radius() -> String { pick(["0", "3", "50%", "1000", "25%", "0.4"]) }

  private mutating func focus() -> String {
    pick([
      "[0%, 100%]", "[33.3%, 40%]", "top", "bottom-left", "smart", "face",
      "{ find: face, headRoom: 60%, otherwise: smart }",
    ])
  }

  private mutating func borders() -> String {
    let count = 1 + random.next(upTo: 3)
    let rings = (0..<count).map { _ in border() }
    return count == 1 ? rings[0] : "[\(rings.joined(separator: ", "))]"
  }

  private mutating func border() -> String {
    let mode = pick(["over", "inset", "outside"])
    var keys = ["mode: \(mode)", "width: \(pick(["0", "0.3", "1", "2.5", "4", "hairline"]))"]
    keys.append("allowNonSquare: \(pick(["true", "false"]))")
    if mode != "over", random.next(upTo: 2) == 0 { keys.append("gap: \(pick(["0", "0.7", "2"]))") }
    if random.next(upTo: 3) == 0 {
      let kind = pick(["linear", "conic"])
      keys.append("gradient: { kind: \(kind), \(colors()), direction: \(direction()) }")
    } else {
      keys.append("color: \"\(color())\"")
    }
    return "{ \(keys.joined(separator: ", ")) }"
  }

  private mutating func shadow() -> String {
    let offset = "[\(pick(["0", "-3", "2.5"])), \(pick(["0", "4", "-1"]))]"
    return "{ color: \"\(color())\", radius: \(pick(["0", "0.2", "1.5", "6"])), offset: \(offset), "
      + "spread: \(pick(["0", "1", "3.3"])) }"
  }

  private mutating func decorations() -> String {
    let count = 1 + random.next(upTo: 2)
    let all = (0..<count).map { _ in
      var keys = ["dot: \"\(color())\"", "size: \(pick(["1", "3.7", "6", "40"]))"]
      keys.append("corner: \(pick(["tl", "tr", "br", "bl"]))")
      if random.next(upTo: 2) == 0 { keys.append("at: [\(pick(["0", "2.2", "9"])), 3]") }
      if random.next(upTo: 2) == 0 { keys.append("gap: \(pick(["0", "1", "2.4"]))") }
      if random.next(upTo: 3) == 0 { keys.append("when: \(pick(["animated", "tall", "wide"]))") }
      return "{ \(keys.joined(separator: ", ")) }"
    }
    return "[\(all.joined(separator: ", "))]"
  }

  private mutating func colors() -> String {
    let count = 1 + random.next(upTo: 4)
    return "colors: [\((0..<count).map { _ in "\"\(color())\"" }.joined(separator: ", "))]"
  }

  private mutating func direction() -> String {
    pick(["down", "up", "left", "right", "45", "300"])
  }

  private mutating func color() -> String {
    pick(["#ff0000", "#00ff0080", "#0000", "#fff", "#12345678", "gray(40%)", "rebeccapurple"])
  }

  private mutating func maybe(_ make: (inout Self) -> String) -> String? {
    random.next(upTo: 4) == 0 ? make(&self) : nil
  }

  private mutating func pick(_ words: [String]) -> String { words[random.next(upTo: words.count)] }
}

/// Small random pictures of every supported format, most of them unusual.
package struct RandomPicture {
  private var random: SeededRandom

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  package mutating func file() -> Data {
    let width = side()
    let height = side()
    let shades = (0..<4).map { _ in pixel() }
    let kind = random.next(upTo: 3)
    func paint(_ x: Int, _ y: Int) -> TestPicture.Pixel {
      switch kind {
      case 0: shades[0]
      case 1: shades[(x / 3 + y / 2) % 4]
      default: TestPicture.Pixel(UInt8(x * 37 % 256), UInt8(y * 91 % 256), 80, shades[y % 4].alpha)
      }
    }
    let orientation = random.next(upTo: 3) == 0 ? 1 + random.next(upTo: 8) : nil
    switch random.next(upTo: 8) {
    case 0, 1, 2:
      let kinds = TestPicture.PNGKind.allCases
      return TestPicture.png(
        width: width, height: height, kind: kinds[random.next(upTo: kinds.count)],
        interlaced: random.next(upTo: 3) == 0, pixel: paint)
    case 3:
      return TestPicture.apng(width: width, height: height, frames: 2) { paint($1, $2 + $0) }
    case 4:
      let frames = 1 + random.next(upTo: 3)
      return TestPicture.gif(width: width, height: height, frames: frames) { paint($1 + $0, $2) }
    case 5:
      return TestPicture.webp(width: width, height: height, orientation: orientation, pixel: paint)
    default:
      let colors = TestPicture.JPEGColors.allCases
      return TestPicture.jpeg(
        width: width, height: height, colors: colors[random.next(upTo: colors.count)],
        orientation: orientation, isProgressive: random.next(upTo: 2) == 0, pixel: paint)
    }
  }

  private mutating func side() -> Int { [1, 2, 7, 16, 24, 90][random.next(upTo: 6)] }

  private mutating func pixel() -> TestPicture.Pixel {
    let alpha: UInt8 = [0, 1, 128, 255, 255][random.next(upTo: 5)]
    return TestPicture.Pixel(
      UInt8(random.next(upTo: 256)), UInt8(random.next(upTo: 256)), UInt8(random.next(upTo: 256)),
      alpha)
  }
}

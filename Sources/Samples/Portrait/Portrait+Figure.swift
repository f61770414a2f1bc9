import Recipes

/// The shapes of a portrait, from the back to the front.
extension Portrait {
  /// Groups of shapes, each with the degrees by which it leans.
  var figure: [([Shape], lean: Float)] {
    let head = ears + faceShapes + beardShapes + mouth + frontHair + glasses
    return [(backHair, lean), (neckAndHood + body, 0), (head, lean)]
  }

  var backdrop: [Shape] {
    guard hasHills else {
      return [Shape(Ellipse(500, 430, 400, 400), Color.white.withAlpha(0.28), blur: 30)]
    }
    let x = 500 + lean * 100
    return [
      Shape(Ellipse(x, 1000, 900, 420), colors.ground.mixed(with: .white, 0.2)),
      Shape(Ellipse(1000 - x, 1060, 800, 400), colors.ground.darker(0.08)),
    ]
  }

  // MARK: - Body

  private var neckAndHood: [Shape] {
    let neck = Ellipse(500, 690, faceWidth * 0.52, 140)
    let hood = [
      Shape(Ellipse(500, 730, 222, 106), colors.cloth.darker(0.2)),
      Shape(Ellipse(500, 740, 182, 86), colors.cloth.darker(0.4)),
    ]
    return (outfit == .hoodie ? hood : [])
      + [Shape(neck, skin), Shape(face.moved(0, 44), skinShade, inside: neck, blur: 8)]
  }

  private var body: [Shape] {
    let (cloth, deep, accent) = (colors.cloth, colors.cloth.darker(0.2), colors.accent)
    let shoulders = Ellipse(500, 1040, 372, 312)
    let shadow = Shape(
      shoulders, deep.withAlpha(0.4), inside: shoulders, outside: shoulders.moved(-70, 10),
      blur: 60)
    let neckline = Shape(Ellipse(500, 742, 104, 54), skin)
    let details: [Shape]
    switch outfit {
    case .crew: details = [Shape(Ellipse(500, 744, 124, 74), deep, inside: shoulders), neckline]
    case .hoodie: details = [neckline] + [430, 570].map { Shape(Ellipse($0, 850, 8, 62), accent) }
    case .stripes:
      let stripes = [800, 880, 960].map {
        Shape(Ellipse(500, $0, 900, 20), accent, inside: shoulders)
      }
      details = stripes + [shadow, neckline]
    case .shirt:
      let collar = [(432, 32), (568, -32)].map { (x: Float, tilt: Float) in
        Shape(Ellipse(x, 768, 80, 34, tilt: tilt), accent)
      }
      details = [neckline] + collar + [870, 940].map { Shape(Ellipse(500, $0, 9, 9), accent) }
    }
    let scarf = Shape(Ellipse(500, 752, 188, 104), accent.darker(0.12))
    return [Shape(shoulders, cloth), shadow] + details + (hair == .scarf ? [scarf] : [])
  }

  // MARK: - Head

  private static let ink = Color(0x2a1c22)
  private var skinShade: Color { skin.mixed(with: Color(0x7a2618), 0.22) }
  private var face: Ellipse { Ellipse(500, 436, faceWidth, 212) }
  private var eyes: [Float] { [500 - faceWidth * 0.43, 500 + faceWidth * 0.43] }

  private var ears: [Shape] {
    if hair == .scarf { return [] }
    return [500 - faceWidth - 2, 500 + faceWidth + 2].flatMap { x in
      [Shape(Ellipse(x, 448, 32, 44), skin), Shape(Ellipse(x, 450, 17, 26), skinShade)]
    }
  }

  private var faceShapes: [Shape] {
    let nose = skin.mixed(with: Color(0x5a1a14), 0.34)
    let blush = skin.mixed(with: Color(0xe8475a), 0.5).withAlpha(0.5)
    let shade = Shape(
      face, skinShade.withAlpha(0.45), inside: face, outside: face.moved(-46, -14), blur: 46)
    return [Shape(face, skin), shade, crescent(Ellipse(500, 500, 26, 18), by: -9, nose)]
      + zip(eyes, [-1, 1]).flatMap { (x: Float, side: Float) in
        let brow = Ellipse(x + side * 3, 396, 42, 22, tilt: side * 6)
        let open = [
          Shape(Ellipse(x, 446, 18, 23), Self.ink), Shape(Ellipse(x - 6, 438, 6, 7), .white),
        ]
        return [
          Shape(Ellipse(x + side * 24, 516, 40, 28), blush, inside: face, blur: 34),
          crescent(brow, by: 12, hair == .scarf ? Self.ink : hairColor.darker(0.3)),
        ] + (eyesAreClosed ? [crescent(Ellipse(x, 446, 30, 20), by: 10, Self.ink)] : open)
      }
  }

  /// What remains of an ellipse outside the same ellipse further down.
  private func crescent(_ ellipse: Ellipse, by down: Float, _ color: Color) -> Shape {
    Shape(ellipse, color, outside: ellipse.moved(0, down))
  }

  private var mouth: [Shape] {
    guard grins else {
      let lips = skin.mixed(with: Color(0x8c1f2b), 0.62)
      return [Shape(Ellipse(500, 540, 60, 44), lips, outside: Ellipse(500, 520, 76, 46))]
    }
    let (open, above) = (Ellipse(500, 540, 64, 54), Ellipse(500, 500, 120, 46))
    return [
      Shape(open, Color(0x5e1824), outside: above),
      Shape(Ellipse(500, 541, 54, 26), .white, inside: open, outside: above),
    ]
  }

  private var beardShapes: [Shape] {
    if beard == .none { return [] }
    let color = hairColor.darker(0.1)
    let jaw = Shape(
      face.moved(0, 6), color, outside: Ellipse(500, 346, faceWidth * 0.92, 206))
    return (beard == .full ? [jaw] : [])
      + [-1, 1].map { Shape(Ellipse(500 + $0 * 32, 534, 44, 16, tilt: $0 * 14), color) }
  }

  private var glasses: [Shape] {
    guard hasGlasses else { return [] }
    let rims = eyes.map {
      Shape(Ellipse($0, 446, 58, 54), Self.ink, outside: Ellipse($0, 446, 49, 45))
    }
    return rims + [Shape(Ellipse(500, 436, 26, 7), Self.ink)]
  }
}

import Foundation
import Recipes

extension Portrait {
  /// What hangs or stands behind the head.
  var backHair: [Shape] {
    let deep = hairColor.darker(0.25)
    switch hair {
    case .bald, .crop, .parted: return []
    case .bob: return [Shape(Ellipse(500, 470, faceWidth + 74, 256), deep)]
    case .long: return [Shape(Ellipse(500, 560, faceWidth + 66, 366), deep)]
    case .curls: return curls(0..<13, of: 13, radius: faceWidth + 28, size: 74, deep)
    case .afro:
      return [Shape(Ellipse(500, 390, 256, 256), hairColor)]
        + curls(0..<22, of: 22, radius: 238, size: 40, hairColor)
    case .bun:
      return [
        Shape(Ellipse(500, 186, 84, 80), hairColor),
        Shape(Ellipse(500, 420, faceWidth + 22, 218), deep),
      ]
    case .scarf:
      return [Shape(Ellipse(500, 460, faceWidth + 62, 278), colors.accent.darker(0.2))]
    }
  }

  /// What lies on the head and around the face.
  var frontHair: [Shape] {
    let width = faceWidth
    let tight = Ellipse(500, 408, width + 22, 212)
    switch hair {
    case .bald: return [shine]
    case .crop: return cap(tight, downTo: 480, opening: Ellipse(500, 520, width - 10, 196))
    case .parted:
      return cap(tight, downTo: 480, opening: Ellipse(458, 530, width - 4, 226, tilt: 24))
    case .bun: return cap(tight, downTo: 480, opening: Ellipse(500, 536, width - 8, 236))
    case .afro: return cap(tight, downTo: 410, opening: Ellipse(500, 530, width - 4, 220))
    case .bob, .long:
      let opening = Ellipse(470, 540, width - 6, 254, tilt: 12)
      return cap(Ellipse(500, 424, width + 40, 236), downTo: 630, opening: opening)
    case .curls: return curls(8..<14, of: 14, radius: 150, size: 64, hairColor)
    case .scarf:
      let opening = Ellipse(500, 446, width - 14, 194)
      return [Shape(Ellipse(500, 452, width + 48, 264), colors.accent, outside: opening)]
    }
  }

  /// Hair that lies on the head, down to a height, and is open around the face.
  private func cap(_ cap: Ellipse, downTo bottom: Float, opening: Ellipse) -> [Shape] {
    let above = Ellipse(500, bottom - 400, 900, 400)
    return [Shape(cap, hairColor, inside: above, outside: opening), shine]
  }

  private var shine: Shape {
    Shape(Ellipse(440, 270, 70, 24, tilt: -24), Color.white.withAlpha(0.18), blur: 22)
  }

  /// Some of the curls that stand in a ring around the head.
  private func curls(
    _ range: Range<Int>, of count: Int, radius: Float, size: Float, _ color: Color
  ) -> [Shape] {
    range.map { index in
      let angle = Float(index) * 2 * .pi / Float(count)
      return Shape(
        Ellipse(500 + radius * cos(angle), 400 + radius * sin(angle), size, size), color)
    }
  }
}

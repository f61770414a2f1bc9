import Foundation

/// A drawing of a face that the detector recognizes as frontal.
struct DrawnFace {
  var x: Int
  var y: Int
  var side: Int

  private static let features:
    [(x: Double, y: Double, width: Double, height: Double, tone: Double)] =
      [
        (0, -1.05, 0.9, 0.42, 60), (-0.36, -0.2, 0.26, 0.16, 120), (0.36, -0.2, 0.26, 0.16, 120),
        (-0.36, -0.36, 0.27, 0.06, 60), (0.36, -0.36, 0.27, 0.06, 60),
        (-0.36, -0.18, 0.17, 0.08, 50), (0.36, -0.18, 0.17, 0.08, 50), (0, 0, 0.09, 0.3, 225),
        (0, 0.27, 0.2, 0.06, 140), (0, 0.55, 0.32, 0.09, 105),
      ]

  /// Returns the brightness and the face's coverage.
  func tone(_ column: Int, _ row: Int) -> (tone: Double, cover: Double) {
    let u = (Double(column - x) + 0.5) / Double(side) * 2 - 1
    let v = (Double(row - y) + 0.5) / Double(side) * 2 - 1
    func cover(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double {
      let distance = hypot((u - x) / width, (v - y) / height) - 1
      return max(0, min(0.5 - distance / 0.3, 1))
    }
    var tone = 205.0
    for part in Self.features {
      let share = cover(part.x, part.y, part.width, part.height)
      tone = tone * (1 - share) + part.tone * share
    }
    return (tone, abs(u) <= 1 && abs(v) <= 1 ? cover(0, 0, 0.78, 1) : 0)
  }
}

extension Pixels {
  static func people(_ width: Int, _ height: Int, _ faces: [DrawnFace]) -> Pixels {
    Pixels(width: width, height: height) { x, y in
      var value = 140 + 15 * sin(Double(x) / 17) * cos(Double(y) / 23)
      for face in faces {
        let (tone, cover) = face.tone(x, y)
        value = value * (1 - cover) + tone * cover
      }
      return [UInt8(value), UInt8(value), UInt8(value), 255]
    }
  }
}

/// A face in a picture, as fractions of the upright width and height.
struct Face: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

extension Cascade {
  /// How the window grows from one look to the next.
  private static let growth = 1.1
  /// Smaller faces do not matter in a picture of a person, and finding them is most of the work.
  private static let smallest = 1.2
  /// Fewer hits that agree count as chance.
  private static let agreement = 4
  /// A picture of faces has fewer, and comparing all with all takes long.
  private static let enough = 2000

  /// The largest and surest face that enough hits agree on.
  ///
  /// The picture must be smaller than `BrightnessSums.stride`.
  func face(in image: GrayImage) -> Face? {
    var hits: [Hit] = []
    // Halving first, so that shrinking never skips pixels.
    var source = image
    var halving = 1.0
    var scale = Self.smallest
    while Double(image.width) / scale >= Double(width),
      Double(image.height) / scale >= Double(height), hits.count < Self.enough
    {
      if scale / halving >= 2 {
        source = source.halved()
        halving *= 2
      }
      search(source.shrunk(by: scale / halving), scale: scale, into: &hits)
      scale *= Self.growth
    }
    let groups = Hit.groups(hits).filter { $0.count >= Self.agreement }
    guard let best = groups.max(by: { $0.weight < $1.weight }) else { return nil }
    let box = best.mean
    return Face(
      x: box.x / Double(image.width), y: box.y / Double(image.height),
      width: box.width / Double(image.width), height: box.height / Double(image.height))
  }

  /// Tries each window of one size.
  private func search(_ image: GrayImage, scale: Double, into hits: inout [Hit]) {
    let brightness = BrightnessSums(image)
    let sums = brightness.sums.span
    let squares = brightness.squares.span
    let stages = stages.span
    let stumps = stumps.span
    // Contrast is that of the window without its rim, as in training.
    let inner = Area(x: 1, y: 1, width: width - 2, height: height - 2, weight: 1)
    let pixels = Float((width - 2) * (height - 2))
    let step = scale < 2 ? 2 : 1
    for y in stride(from: 0, through: image.height - height, by: step) {
      var x = 0
      while x <= image.width &- width, hits.count < Self.enough {
        let origin = y &* BrightnessSums.stride &+ x
        let sum = Float(inner.sum(sums, at: origin))
        let spread = pixels * Float(inner.sum(squares, at: origin)) - sum * sum
        x &+= step
        // Flatter than 10 of 255: sky, walls, blur.
        guard spread > 100 * pixels * pixels else { continue }
        let passed = passed(
          sums, at: origin, contrast: spread.squareRoot(), stages: stages, stumps: stumps)
        if passed == stages.count {
          hits.append(
            Hit(
              x: Double(x &- step) * scale, y: Double(y) * scale,
              width: Double(width) * scale, height: Double(height) * scale))
        } else if passed == 0 {
          // A window that fails at once has neighbours that fail too.
          x &+= step
        }
      }
    }
  }
}

/// A window that passed all stages, in pixels of the searched picture.
private struct Hit {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// Hits that mean the same face.
  struct Group {
    var hits: [Hit]

    var count: Int { hits.count }
    var weight: Double { mean.width * Double(count) }

    var mean: Hit {
      let count = Double(hits.count)
      return Hit(
        x: hits.reduce(0) { $0 + $1.x } / count, y: hits.reduce(0) { $0 + $1.y } / count,
        width: hits.reduce(0) { $0 + $1.width } / count,
        height: hits.reduce(0) { $0 + $1.height } / count)
    }
  }

  /// Whether all four edges lie within a fifth of the smaller one's size.
  func agrees(with other: Hit) -> Bool {
    let slack = 0.1 * (min(width, other.width) + min(height, other.height))
    return abs(x - other.x) <= slack && abs(y - other.y) <= slack
      && abs(x + width - other.x - other.width) <= slack
      && abs(y + height - other.y - other.height) <= slack
  }

  /// Hits that agree, directly or through others, in the order of each group's first.
  static func groups(_ hits: [Hit]) -> [Group] {
    // Of each hit, the first one that it agrees with.
    var firsts = Array(hits.indices)
    for (index, hit) in hits.enumerated() {
      for other in 0..<index where firsts[other] != firsts[index] && hit.agrees(with: hits[other]) {
        let (old, new) = (max(firsts[other], firsts[index]), min(firsts[other], firsts[index]))
        for named in 0...index where firsts[named] == old { firsts[named] = new }
      }
    }
    return hits.indices.filter { firsts[$0] == $0 }.map { first in
      Group(hits: hits.indices.filter { firsts[$0] == first }.map { hits[$0] })
    }
  }
}

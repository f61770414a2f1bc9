import Recipes

struct FoundFace: Equatable {
  /// The face from the middle of the forehead to the chin, as fractions of the picture.
  let box: Window
  let isAlone: Bool

  /// Returns the zoom at which the face, hairline to chin, fills 45% of the crop's shorter side.
  ///
  /// A picture with several faces is not zoomed, so that every head stays whole.
  func zoom(of frame: Frame, in picture: PixelSize) -> Double {
    guard isAlone, frame.zoom == nil else { return 1 }
    let crop = frame.placement(of: picture, in: frame.base).window
    let wanted = 0.36 * min(crop.width, crop.height) / (box.height * Double(picture.height))
    let zoom = min(wanted, frame.closest(in: picture).zoom ?? 1)
    return zoom < 1.1 ? 1 : (zoom * 1000).rounded(.down) / 1000
  }
}

extension Cascade {
  private struct Effort {
    /// The smallest scale to search; smaller faces take long to find and rarely matter.
    let smallest: Double
    let growth: Double
    let step: (small: Int, large: Int)
    /// The minimum number of overlapping hits; fewer are treated as a false positive.
    let agreement: Int

    static let thorough = Effort(smallest: 1.2, growth: 1.1, step: (2, 1), agreement: 4)
    /// A fast search that tests only an eighth of the windows.
    static let quick = Effort(smallest: 1.5, growth: 1.2, step: (2, 2), agreement: 2)
  }

  /// The maximum number of hits, which limits the cost of comparing every pair of hits.
  private static let enough = 2000

  /// Returns, as fractions of `image`, the face with the highest product of width and hit count.
  func face(in image: GrayImage, isQuick: Bool = false) -> FoundFace? {
    let effort = isQuick ? Effort.quick : Effort.thorough
    var hits: [Window] = []
    // Halve first, so that bilinear scaling never skips pixels.
    var source = image
    var halving = 1.0
    var scale = effort.smallest
    while Double(image.width) / scale >= Double(width),
      Double(image.height) / scale >= Double(height), hits.count < Self.enough
    {
      if scale / halving >= 2 {
        source = source.halved()
        halving *= 2
      }
      let step = scale < 2 ? effort.step.small : effort.step.large
      search(source.shrunk(by: scale / halving), scale: scale, step: step, into: &hits)
      scale *= effort.growth
    }
    let groups = Self.groups(hits).filter { $0.count >= effort.agreement }
    let best = groups.map { (mean: Self.mean($0), count: Double($0.count)) }
      .max { $0.mean.width * $0.count < $1.mean.width * $1.count }
    guard let face = best?.mean else { return nil }
    let (width, height) = (Double(image.width), Double(image.height))
    let box = Window(
      x: face.x / width, y: face.y / height, width: face.width / width,
      height: face.height / height)
    return FoundFace(box: box, isAlone: groups.count == 1)
  }

  private func search(_ image: GrayImage, scale: Double, step: Int, into hits: inout [Window]) {
    let brightness = BrightnessSums(image)
    let sums = brightness.sums.span
    let squares = brightness.squares.span
    let stages = stages.span
    let stumps = stumps.span
    // The contrast excludes the window's border, as during training.
    let inner = Area(x: 1, y: 1, width: width - 2, height: height - 2, weight: 1)
    let pixels = Float((width - 2) * (height - 2))
    for y in stride(from: 0, through: image.height - height, by: step) {
      var x = 0
      while x <= image.width &- width, hits.count < Self.enough {
        let origin = y &* BrightnessSums.stride &+ x
        let sum = Float(inner.sum(sums, at: origin))
        let spread = pixels * Float(inner.sum(squares, at: origin)) - sum * sum
        x &+= step
        // Skip flat windows such as sky or walls: a standard deviation below 10 out of 255.
        guard spread > 100 * pixels * pixels else { continue }
        let passed = passed(
          sums, at: origin, contrast: spread.squareRoot(), stages: stages, stumps: stumps)
        if passed == stages.count {
          hits.append(
            Window(
              x: Double(x &- step) * scale, y: Double(y) * scale,
              width: Double(width) * scale, height: Double(height) * scale))
        } else if passed == 0 {
          // A window that fails the first stage usually has neighbours that fail too.
          x &+= step
        }
      }
    }
  }

  private static func groups(_ hits: [Window]) -> [[Window]] {
    // Maps each hit to the first hit of its group.
    var firsts = Array(hits.indices)
    for (index, hit) in hits.enumerated() {
      for other in 0..<index where firsts[other] != firsts[index] && agree(hit, hits[other]) {
        let (old, new) = (max(firsts[other], firsts[index]), min(firsts[other], firsts[index]))
        for named in 0...index where firsts[named] == old { firsts[named] = new }
      }
    }
    return hits.indices.filter { firsts[$0] == $0 }.map { first in
      hits.indices.filter { firsts[$0] == first }.map { hits[$0] }
    }
  }

  /// Returns whether all four edges agree within a fifth of the smaller window's size.
  private static func agree(_ first: Window, _ second: Window) -> Bool {
    let slack = 0.1 * (min(first.width, second.width) + min(first.height, second.height))
    return abs(first.x - second.x) <= slack && abs(first.y - second.y) <= slack
      && abs(first.x + first.width - second.x - second.width) <= slack
      && abs(first.y + first.height - second.y - second.height) <= slack
  }

  private static func mean(_ hits: [Window]) -> Window {
    func mean(_ value: (Window) -> Double) -> Double {
      hits.reduce(0) { $0 + value($1) } / Double(hits.count)
    }
    return Window(x: mean(\.x), y: mean(\.y), width: mean(\.width), height: mean(\.height))
  }
}

import Recipes

/// A saliency map of edges and skin colours.
struct Saliency {
  private let size: PixelSize
  private let values: [Int]

  static let side = 96

  /// The strength up to which an edge counts as camera noise or a JPEG artefact.
  private static let noise = 10
  /// The saliency of skin, about as high as that of a clear edge.
  private static let skin = 48

  init(_ picture: Raster) {
    size = picture.size
    let (width, height) = (size.width, size.height)
    let bytes = picture.bytes.span
    // Premultiply luma, so that edges in both brightness and alpha are found.
    var lumas = [Int](repeating: 0, count: width * height)
    for index in lumas.indices {
      let at = index &* 4
      let light = Int(luma(bytes[at], bytes[at &+ 1], bytes[at &+ 2]))
      lumas[index] = light &* Int(bytes[at &+ 3]) / 255
    }
    var values = [Int](repeating: 0, count: width * height)
    for y in 0..<height {
      let (up, down) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
      for x in 0..<width {
        let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
        let at = y * width + x
        let light =
          abs(lumas[y * width + right] - lumas[y * width + left])
          + abs(lumas[down + x] - lumas[up + x])
        let cover =
          abs(Int(bytes[(y * width + right) * 4 + 3]) - Int(bytes[(y * width + left) * 4 + 3]))
          + abs(Int(bytes[(down + x) * 4 + 3]) - Int(bytes[(up + x) * 4 + 3]))
        let edge = max(light, cover)
        values[at] = edge > Self.noise ? edge : 0
        if Self.isSkin(bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2]) {
          values[at] += Self.skin * Int(bytes[at * 4 + 3]) / 255
        }
      }
    }
    self.values = values
  }

  /// Returns whether the chroma (Cb, Cr) matches skin of any tone; wood and sand match too.
  private static func isSkin(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    let luma = (299 * red + 587 * green + 114 * blue) / 1000
    let bluish = 128 + (564 * (blue - luma)) / 1000
    let reddish = 128 + (713 * (red - luma)) / 1000
    return luma > 40 && (80...126).contains(bluish) && (136...172).contains(reddish)
  }

  /// Returns the start of the most salient crop, or nil if the given start is about as good.
  ///
  /// Weights peak at the crop's centre, so that subjects are not at its edge. A crop far from the
  /// given one scores up to 15% less, and the best score must exceed the given crop's by 5%.
  func start(along axis: CropAxis, given: Double) -> Double? {
    let profile = profile(isVertical: axis.isVertical)
    let pixel = axis.whole / Double(profile.count)
    func score(_ start: Double) -> Double {
      let middle = start + axis.seen / 2
      var sum = 0.0
      for (index, value) in profile.enumerated() {
        let distance = ((Double(index) + 0.5) * pixel - middle) / (axis.seen / 2)
        if abs(distance) < 1 { sum += Double(value) * (1 - distance * distance) }
      }
      return sum * (1 - 0.15 * abs(start - given) / axis.room)
    }
    let steps = max(1, Int((axis.room / pixel * 2).rounded(.up)))
    var best = (start: given, score: score(given) * 1.05)
    for step in 0...steps {
      let start = axis.room * Double(step) / Double(steps)
      let score = score(start)
      if score > best.score { best = (start, score) }
    }
    return best.start == given ? nil : best.start
  }

  private func profile(isVertical: Bool) -> [Int] {
    var sums = [Int](repeating: 0, count: isVertical ? size.height : size.width)
    for y in 0..<size.height {
      for x in 0..<size.width { sums[isVertical ? y : x] += values[y * size.width + x] }
    }
    return sums
  }
}

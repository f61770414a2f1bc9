/// A supersampled outline, written independently of the masks: 32 × 32 points per pixel.
struct Oracle {
  let width: Int
  let height: Int
  /// The radii of the corners: top left, top right, bottom right, bottom left.
  let radii: [Double]
  let inset: Double

  init(_ width: Int, _ height: Int, radii: [Double], inset: Double = 0) {
    let limit = Double(min(width, height)) / 2
    self.width = width
    self.height = height
    self.radii = radii.map { max(0, min($0, limit) - inset) }
    self.inset = inset
  }

  func contains(_ x: Double, _ y: Double) -> Bool {
    let right = Double(width) - inset
    let bottom = Double(height) - inset
    guard x > inset, x < right, y > inset, y < bottom else { return false }
    let corners = [
      (inset, inset, 1.0, 1.0), (right, inset, -1, 1), (right, bottom, -1, -1),
      (inset, bottom, 1, -1),
    ]
    for (radius, corner) in zip(radii, corners) {
      let u = (x - corner.0) * corner.2
      let v = (y - corner.1) * corner.3
      if u < radius, v < radius,
        (radius - u) * (radius - u) + (radius - v) * (radius - v) > radius * radius
      {
        return false
      }
    }
    return true
  }

  func coverage(_ x: Int, _ y: Int) -> Double {
    var count = 0
    for row in 0..<32 {
      for column in 0..<32
      where contains(Double(x) + (Double(column) + 0.5) / 32, Double(y) + (Double(row) + 0.5) / 32)
      {
        count += 1
      }
    }
    return Double(count) * 255 / 1024
  }
}

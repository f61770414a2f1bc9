package import Recipes

/// The position of a style's box on its canvas, at every scale.
///
/// The canvas has space for every decoration, so that all users' images have the same size.
package struct StyleLayout {
  package private(set) var inset = Margins.none
  private let width: Double
  private let height: Double

  package init(_ style: AvatarStyle) {
    width = style.width
    height = style.height
    guard !style.drawsNothing else { return }
    let scales = style.scales.filter { box(at: $0).shorterSide > 0 }
    // Space added for one scale changes the rounding at others, so repeat until nothing changes.
    var before: Margins
    repeat {
      before = inset
      for scale in scales { addRoom(for: style, at: scale) }
    } while inset != before
  }

  package var size: (width: Double, height: Double) {
    (width + Double(inset.left + inset.right), height + Double(inset.top + inset.bottom))
  }

  package func box(at scale: Double) -> PixelSize {
    PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
  }

  package func canvas(at scale: Double) -> (width: Double, height: Double) {
    let box = box(at: scale)
    let margins = margins(at: scale)
    return (
      Double(margins.left + box.width + margins.right),
      Double(margins.top + box.height + margins.bottom)
    )
  }

  /// Returns the margins in pixels that make the canvas match its rounded size in points.
  package func margins(at scale: Double) -> Margins {
    let box = box(at: scale)
    let left = Int((Double(inset.left) * scale).rounded())
    let top = Int((Double(inset.top) * scale).rounded())
    let right = Int((size.width * scale).rounded()) - left - box.width
    let bottom = Int((size.height * scale).rounded()) - top - box.height
    // A side without an inset gets no margin, even if rounding would add one.
    return Margins(
      top: top, right: inset.right > 0 ? max(0, right) : 0,
      bottom: inset.bottom > 0 ? max(0, bottom) : 0, left: left)
  }

  private mutating func addRoom(for style: AvatarStyle, at scale: Double) {
    let box = box(at: scale)
    let border = Border(style.border, box: box, scale: scale)
    let outline = Outline(style, box: box, scale: scale)
    var sharp = SIMD4(repeating: border?.reach ?? 0)
    for decoration in style.decorations where decoration.paints {
      let placed = Decoration(
        decoration, .dot(.invisible), outline: outline, box: box, scale: scale)
      sharp = pointwiseMax(sharp, placed.extents(beyond: box))
    }
    let shadow = style.shadow?.pixels(around: border, box: box, scale: scale)
    let all = shadow.map { pointwiseMax(sharp, $0.extents) } ?? sharp
    let sides: [WritableKeyPath<Margins, Int>] = [\.left, \.top, \.right, \.bottom]
    for (index, side) in sides.enumerated() {
      let points = Int((all[index] / scale - Self.tolerance).rounded(.up))
      inset[keyPath: side] = max(inset[keyPath: side], points)
      // Rounding must not cut a sharp edge, but a blur may lose a fraction of a pixel.
      while Double(margins(at: scale)[keyPath: side]) < sharp[index] - Self.tolerance {
        inset[keyPath: side] += 1
      }
    }
  }

  /// The largest difference from an integer that is treated as a rounding error.
  private static let tolerance = 1e-6
}

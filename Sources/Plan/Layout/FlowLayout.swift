package import Recipes

/// Boxes that flow into centred rows, like words into lines, in whole pixels and without overlaps.
///
/// A box that is wider than a row is narrowed to fit. An odd pixel is added to the right margin.
package struct FlowLayout: Hashable, Sendable {
  package private(set) var frames: [PixelFrame] = []
  /// The height, including the margins and a gap after each row.
  package private(set) var height: Int

  /// Lays out boxes with a margin; each group, such as texts or pictures, starts a new row.
  package init(_ groups: [[PixelSize]], width: Int, margin: Int, gap: Int) {
    let room = max(0, width - 2 * margin)
    height = margin
    for group in groups {
      var rest = group[...]
      while !rest.isEmpty {
        var (end, used) = (-gap, 0)
        let row = rest.prefix { box in
          end += gap + min(box.width, room)
          if end <= room { used = end }
          return end <= room
        }
        var x = margin + (room - used) / 2
        for box in row {
          let size = PixelSize(width: min(box.width, room), height: box.height)
          frames.append(PixelFrame(x: x, y: height, width: size.width, height: size.height))
          x += size.width + gap
        }
        height += (row.map(\.height).max() ?? 0) + gap
        rest = rest.dropFirst(row.count)
      }
    }
    height += margin
  }
}

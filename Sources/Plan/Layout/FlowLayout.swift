package import Recipes

/// Boxes that flow into centred rows, like words into lines: whole pixels, nothing outside, no overlaps.
///
/// A box that is wider than a row is cut to the row's width; it gets a row to itself, and leaves no
/// empty one before it. Of an odd pixel the smaller part is at the left.
package struct FlowLayout: Hashable, Sendable {
  /// One for each box, in the order of the boxes.
  package private(set) var frames: [PixelFrame] = []
  /// Of the cell around all frames: a margin, each row and the gap below it, a margin.
  package private(set) var height: Int

  /// Lays boxes out in a cell with a margin; each group begins a row, such as texts, then pictures.
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

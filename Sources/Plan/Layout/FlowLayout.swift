package import Recipes

/// Boxes that flow into rows, as words do into lines: whole pixels, nothing outside, no overlaps.
///
/// A pure function of what it is given. A box that is wider than a row is cut to the row's width;
/// it gets a row to itself, and leaves no empty one before it.
package struct FlowLayout: Hashable, Sendable {
  package enum Alignment: Hashable, Sendable {
    case leading
    /// Each row by itself; of an odd pixel the smaller part is at the left.
    case center
  }

  /// One for each box, in the order of the boxes.
  package private(set) var frames: [PixelFrame] = []
  /// The boxes of each row; none is empty.
  package private(set) var rows: [Range<Int>] = []
  /// Of the cell around all frames: a margin, each row and the gap below it, a margin.
  package private(set) var height: Int

  /// Lays boxes out in a cell with a margin; each group begins a row, such as texts, then pictures.
  package init(
    _ groups: [[PixelSize]], width: Int, margin: Int = 5, gap: Int = 5,
    alignment: Alignment = .leading
  ) {
    let right = max(margin, width - margin)
    var x = margin
    var y = margin
    var first = 0
    var rowHeight = 0
    func endRow(_ frames: inout [PixelFrame], _ rows: inout [Range<Int>]) {
      guard first < frames.count else { return }
      if alignment == .center {
        let shift = (right - x + gap) / 2
        for number in first..<frames.count { frames[number].x += shift }
      }
      rows.append(first..<frames.count)
      first = frames.count
      x = margin
      y += rowHeight + gap
      rowHeight = 0
    }
    for group in groups {
      for box in group {
        let boxWidth = max(0, min(box.width, right - margin))
        if boxWidth > right - x { endRow(&frames, &rows) }
        let boxHeight = max(0, box.height)
        frames.append(PixelFrame(x: x, y: y, width: boxWidth, height: boxHeight))
        x += boxWidth + gap
        rowHeight = max(rowHeight, boxHeight)
      }
      endRow(&frames, &rows)
    }
    height = y + margin
  }
}

package import Recipes

/// Where everything lies on the card of a team: the title, and below it the pictures in rows.
///
/// Of all numbers of rows that one is taken which leaves the pictures largest, but never larger
/// than their files; of equally good ones that whose shape is most like that of the room.
package struct CardLayout: Hashable, Sendable {
  package static let size = PixelSize(width: 1_200, height: 630)
  /// Pictures on a card: more would be too small to know anyone.
  package static let most = 60
  static let margin = 48
  /// Below the title.
  private static let space = 32

  /// Of the pictures, in their order; all of one size.
  package let frames: [PixelFrame]
  /// Nil without a title.
  package let caption: PixelFrame?

  /// Nil where a picture one pixel wide would be too high; `picture` is the size of the largest file.
  package init?(count: Int, picture: PixelSize, caption: Caption?) {
    let width = Self.size.width - 2 * Self.margin
    let top = caption.map { $0.size.height + Self.space } ?? 0
    let room = PixelSize(width: width, height: Self.size.height - 2 * Self.margin - top)
    guard let grid = Grid.best(of: count, picture, in: room) else { return nil }
    let flow = FlowLayout(
      [Array(repeating: grid.cell, count: count)], width: grid.width, margin: 0, gap: grid.gap,
      alignment: .center)
    let height = flow.frames.last.map { $0.y + $0.height } ?? 0
    let start = (Self.size.height - top - height) / 2
    let left = (Self.size.width - grid.width) / 2
    frames = flow.frames.map {
      PixelFrame(x: $0.x + left, y: $0.y + start + top, width: $0.width, height: $0.height)
    }
    self.caption = caption.map {
      PixelFrame(
        x: (Self.size.width - $0.size.width) / 2, y: start, width: $0.size.width,
        height: $0.size.height)
    }
  }
}

/// Equal cells in columns and rows.
private struct Grid {
  let columns: Int
  let rows: Int
  let cell: PixelSize
  let gap: Int

  var width: Int { columns * (cell.width + gap) - gap }
  var height: Int { rows * (cell.height + gap) - gap }

  init(columns: Int, rows: Int, width: Int, _ picture: PixelSize) {
    self.columns = columns
    self.rows = rows
    cell = PixelSize(
      width: width, height: max(1, (width * picture.height + picture.width / 2) / picture.width))
    gap = max(4, min(cell.width, cell.height) / 6)
  }

  /// Nil where none fits.
  static func best(of count: Int, _ picture: PixelSize, in room: PixelSize) -> Grid? {
    var best: Grid?
    for rows in 1...max(1, count) {
      let columns = (count + rows - 1) / rows
      guard let grid = largest(columns: columns, rows: rows, picture, in: room) else { continue }
      if best.map({ grid.isBetter(than: $0, in: room) }) ?? true { best = grid }
    }
    return best
  }

  /// Nil where not even a pixel is left for a picture.
  private static func largest(
    columns: Int, rows: Int, _ picture: PixelSize, in room: PixelSize
  ) -> Grid? {
    let widths = stride(from: min(picture.width, room.width), to: 0, by: -1)
    return widths.lazy.map { Grid(columns: columns, rows: rows, width: $0, picture) }.first {
      $0.width <= room.width && $0.height <= room.height
    }
  }

  private func isBetter(than other: Grid, in room: PixelSize) -> Bool {
    cell.width == other.cell.width
      ? bias(in: room) < other.bias(in: room) : cell.width > other.cell.width
  }

  /// How far its shape is from that of a room: the larger of both ratios, in thousandths.
  private func bias(in room: PixelSize) -> Int {
    let (own, other) = (width * room.height, room.width * height)
    return max(own, other) * 1_000 / max(1, min(own, other))
  }
}

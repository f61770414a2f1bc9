import SiteSupport

struct FlowLayoutTests {
  private static let image = PixelSize(width: 40, height: 40)

  /// Returns the size of a text box, five pixels larger than its letters in both directions.
  private func text(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width + 5, height: height + 5)
  }

  private func cell(texts: [PixelSize] = [], images: Int, width: Int = 320) -> FlowLayout {
    FlowLayout(
      [texts, Array(repeating: Self.image, count: images)], width: width, margin: 5, gap: 5)
  }

  private func rows(_ layout: FlowLayout) -> [[PixelFrame]] {
    layout.frames.reduce(into: []) { rows, frame in
      let isNext = rows.last?.last.map { frame.y == $0.y && frame.x > $0.x } ?? false
      if isNext { rows[rows.count - 1].append(frame) } else { rows.append([frame]) }
    }
  }

  /// F5: the only row is centred.
  @Test func `a single picture is centred in one row`() {
    let cell = cell(images: 1)
    #expect(cell.height == 55)
    #expect(cell.frames == [PixelFrame(x: 140, y: 5, width: 40, height: 40)])
  }

  /// F5: the eighth picture begins a second row.
  @Test func `seven pictures fill one row, and eight need two`() {
    let seven = cell(images: 7)
    #expect(seven.height == 55 && rows(seven).map(\.count) == [7])
    #expect(seven.frames.map(\.x) == [5, 50, 95, 140, 185, 230, 275])
    let eight = cell(images: 8)
    #expect(eight.height == 100 && rows(eight).map(\.count) == [7, 1])
    #expect(eight.frames[7] == PixelFrame(x: 140, y: 50, width: 40, height: 40))
    // With one pixel less, the seventh picture does not fit.
    #expect(rows(cell(images: 7, width: 319)).map(\.count) == [6, 1])
  }

  /// F5: wide text is alone in its row.
  @Test func `text that is too wide is truncated and gets a row to itself`() {
    let cell = cell(texts: [text(400, 20)], images: 1)
    #expect(cell.frames[0] == PixelFrame(x: 5, y: 5, width: 310, height: 25))
    // The next row begins ten pixels below the text.
    #expect(cell.frames[1].y == 5 + 20 + 10)
    #expect(rows(cell).map(\.count) == [1, 1] && cell.height == 5 + 30 + 45 + 5)
    let later = self.cell(texts: [text(30, 20), text(400, 20), text(30, 20)], images: 0)
    #expect(rows(later).map(\.count) == [1, 1, 1] && later.frames[1].width == 310)
  }

  /// F5: texts are side by side, with ten pixels between the letters of adjacent texts.
  @Test func `texts wrap into rows`() {
    let cell = cell(texts: [text(60, 20), text(100, 20), text(130, 20)], images: 2)
    #expect(rows(cell).map(\.count) == [2, 1, 2])
    #expect(cell.frames[1].x - cell.frames[0].x == 70)
    #expect(cell.frames.map(\.y) == [5, 5, 35, 65, 65])
    #expect(self.cell(images: 0).height == 10 && self.cell(images: 0).frames.isEmpty)
  }

  /// F5: frames do not overlap; G2: they are in whole pixels; F4: they are in input order.
  @Test(arguments: 0..<400)
  func `frames are inside the box, in order, and do not overlap`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let margin = random.next(upTo: 12)
    let gap = random.next(upTo: 9)
    let width = 2 * margin + 1 + random.next(upTo: 500)
    let groups = (0..<random.next(upTo: 5)).map { _ in
      (0..<random.next(upTo: 30)).map { _ in
        PixelSize(width: 1 + random.next(upTo: 600), height: 1 + random.next(upTo: 90))
      }
    }
    let layout = FlowLayout(groups, width: width, margin: margin, gap: gap)
    let boxes = groups.flatMap(\.self)
    #expect(layout.frames.count == boxes.count)
    for (box, frame) in zip(boxes, layout.frames) {
      #expect(frame.width == min(box.width, width - 2 * margin) && frame.height == box.height)
      #expect(frame.x >= margin && frame.x + frame.width <= width - margin)
      #expect(frame.y >= margin && frame.y + frame.height <= layout.height - margin)
    }
    let rows = rows(layout)
    var bottom = 0
    for frames in rows {
      // The frames are side by side with the gap between them, below all earlier rows.
      #expect(frames[0].y >= bottom)
      for (left, right) in zip(frames, frames.dropFirst()) {
        #expect(right.x == left.x + left.width + gap)
      }
      bottom = frames.map { $0.y + $0.height }.max().map { $0 + gap } ?? 0
      if let first = frames.first, let last = frames.last {
        let free = (first.x - margin, width - margin - last.x - last.width)
        #expect(free.1 - free.0 == 0 || free.1 - free.0 == 1)
      }
    }
    // A row begins only with a new group, or with a box that did not fit into the previous row.
    let starts = Set(groups.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) })
    var count = 0
    for (before, row) in zip(rows, rows.dropFirst()) {
      count += before.count
      if starts.contains(count) { continue }
      let used = before.reduce(0) { $0 + $1.width + gap }
      #expect(used + row[0].width > width - 2 * margin)
    }
  }
}

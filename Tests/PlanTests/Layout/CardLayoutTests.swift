import SiteSupport

struct CardLayoutTests {
  private static let avatar = PixelSize(width: 192, height: 192)

  private func check(_ layout: CardLayout, _ picture: PixelSize) {
    let all = layout.frames + [layout.caption].compactMap(\.self)
    for (number, frame) in all.enumerated() {
      #expect(frame.x >= 48 && frame.x + frame.width <= 1_152)
      #expect(frame.y >= 48 && frame.y + frame.height <= 582)
      for other in all[..<number] {
        let isApart =
          other.x + other.width <= frame.x || frame.x + frame.width <= other.x
          || other.y + other.height <= frame.y || frame.y + frame.height <= other.y
        #expect(isApart)
      }
    }
    #expect(Set(layout.frames.map(\.size)).count == 1)
    let size = layout.frames[0].size
    #expect(size.width <= picture.width && size.height <= picture.height && size.width > 0)
    // The frames are in reading order.
    for (one, next) in zip(layout.frames, layout.frames.dropFirst()) {
      #expect(next.y > one.y || next.y == one.y && next.x > one.x)
    }
  }

  /// F5: frames on a card never overlap, whatever its content.
  @Test(arguments: 0..<300)
  func `all elements are inside the card and do not overlap`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let picture = PixelSize(width: 1 + random.next(upTo: 900), height: 1 + random.next(upTo: 900))
    let title = String(repeating: "Sample ", count: random.next(upTo: 40))
    let caption = random.next(upTo: 2) == 0 ? nil : TeamCard.caption(of: title)
    let count = 1 + random.next(upTo: CardLayout.most)
    let layout = try #require(CardLayout(count: count, picture: picture, caption: caption))
    #expect(layout.frames.count == count)
    check(layout, picture)
  }

  @Test func `card pictures fill the space but are never enlarged`() throws {
    let caption = TeamCard.caption(of: "Sample team")
    let full = try #require(CardLayout(count: 60, picture: Self.avatar, caption: caption))
    #expect(full.frames[0].width >= 70 && Set(full.frames.map(\.y)).count == 5)
    #expect(full.frames[11].x + full.frames[11].width - full.frames[0].x > 1_000)
    let sides = (1...60).compactMap {
      CardLayout(count: $0, picture: Self.avatar, caption: caption)?.frames[0].width
    }
    #expect(sides.count == 60)
    #expect(sides[0] == 192 && sides == sides.sorted(by: >))
    // A larger file enlarges only the pictures that were as large as their files.
    let large = PixelSize(width: 193, height: 193)
    let other = sides.indices.map {
      CardLayout(count: $0 + 1, picture: large, caption: caption)?.frames[0].width
    }
    #expect(zip(sides, other).allSatisfy { $0 == $1 || $0 == 192 })
    // Six pictures form three columns and two rows, not a single row.
    let six = try #require(CardLayout(count: 6, picture: Self.avatar, caption: caption))
    #expect(Set(six.frames.map(\.x)).count == 3 && Set(six.frames.map(\.y)).count == 2)
    let wide = CardLayout(count: 1, picture: PixelSize(width: 2_000, height: 100), caption: nil)
    #expect(wide?.frames[0].x == 48)
    // Of two equally good grids, the one with fewer rows is used.
    let high = PixelSize(width: 74, height: 98)
    let tied = try #require(CardLayout(count: 15, picture: high, caption: nil))
    #expect(Set(tied.frames.map(\.y)).count == 2)
  }

  @Test func `pictures that are too tall at every width cannot be laid out`() throws {
    let caption = TeamCard.caption(of: "Sample team")
    for (count, caption) in [(1, nil), (60, nil), (1, caption)] {
      let high = CardLayout(
        count: count, picture: PixelSize(width: 1, height: 3_000), caption: caption)
      #expect(high == nil)
    }
    let narrow = PixelSize(width: 1, height: 500)
    let layout = try #require(CardLayout(count: 60, picture: narrow, caption: nil))
    check(layout, narrow)
    #expect(Set(layout.frames.map(\.y)).count == 1)
  }

  @Test func `each row is centred`() throws {
    let seven = try #require(CardLayout(count: 7, picture: Self.avatar, caption: nil))
    for y in Set(seven.frames.map(\.y)) {
      let row = seven.frames.filter { $0.y == y }
      let left = row.map(\.x).min() ?? 0
      let right = row.map { $0.x + $0.width }.max() ?? 0
      #expect(abs(left - (1_200 - right)) <= 1)
    }
  }
}

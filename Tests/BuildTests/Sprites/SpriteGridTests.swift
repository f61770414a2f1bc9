import SiteSupport

struct SpriteGridTests {
  /// Returns pictures with sizes as in a style: points times the scale, rounded.
  private func pictures(_ width: Double, _ height: Double, _ scales: [Double]) -> [(
    scale: Double, size: PixelSize
  )] {
    scales.map { scale in
      (
        scale,
        PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
      )
    }
  }

  /// G19: gutters are at least a pixel wide, and sheets hold as many pictures as possible.
  @Test func `every picture in a sheet is surrounded by a gutter`() throws {
    var random = SeededRandom(seed: 19)
    var grids = 0
    for _ in 0..<4_000 {
      let scales = Set(
        (0...random.next(upTo: 4)).map { _ in
          [0.25, 0.5, 0.75, 1, 1.25, 1.33, 1.5, 2, 2.625, 3, 3.14159, 4, 10][random.next(upTo: 13)]
        }
      ).sorted()
      let width = Double(1 + random.next(upTo: 900)) / Double(1 + random.next(upTo: 3))
      let height = Double(1 + random.next(upTo: 900)) / Double(1 + random.next(upTo: 3))
      let all = pictures(max(width, 4), max(height, 4), scales)
      let limit = [300, 1_000, 4_096][random.next(upTo: 3)]
      guard let grid = SpriteGrid(all, limit: limit) else {
        #expect(
          all.contains {
            Double(max($0.size.width, $0.size.height)) + 22 * $0.scale > Double(limit)
          })
        continue
      }
      grids += 1
      #expect(grid.capacity == grid.columns * grid.rows)
      for (scale, size) in all {
        let whole = grid.size(of: grid.capacity, amid: grid.capacity, at: scale)
        #expect(whole.width <= limit && whole.height <= limit)
        for number in [0, 1, grid.columns - 1, grid.columns, grid.capacity - 1]
        where number < grid.capacity {
          let origin = grid.pixels(of: number, at: scale)
          #expect(origin.x >= 1 && origin.y >= 1)
          #expect(origin.x + size.width < whole.width && origin.y + size.height < whole.height)
          if number > 0, number % grid.columns > 0 {
            let before = grid.pixels(of: number - 1, at: scale)
            #expect(before.y == origin.y && before.x + size.width < origin.x)
          }
          if number >= grid.columns {
            let above = grid.pixels(of: number - grid.columns, at: scale)
            #expect(above.x == origin.x && above.y + size.height < origin.y)
          }
        }
      }
      let mayGrow = all.allSatisfy { scale, _ in
        Double(grid.gutter + (grid.columns + 1) * grid.pitchX) * scale <= Double(limit) - 1
      }
      #expect(!mayGrow || grid.columns == SpriteGrid.mostPerSide)
    }
    #expect(grids > 2_000)
  }

  /// A position in points is exact at every scale only if it is a whole number of pixels.
  @Test(arguments: [[1.0, 2, 3], [0.5, 1], [1, 1.5, 2], [0.75, 1.25], [2.625, 1], [3]])
  func `at common scales, sprite positions are whole pixels`(scales: [Double]) throws {
    for side in [1.0, 7, 13.5, 48, 50, 64] {
      let all = pictures(max(side, 4), side + 3, scales)
      let grid = try #require(SpriteGrid(all))
      for scale in scales {
        for length in [grid.gutter, grid.pitchX, grid.pitchY] {
          let pixels = Double(length) * scale
          #expect(pixels == pixels.rounded() && pixels >= 1)
        }
        let origin = grid.origin(of: grid.columns + 1)
        let pixels = grid.pixels(of: grid.columns + 1, at: scale)
        #expect(Double(origin.x) * scale == Double(pixels.x))
        #expect(Double(origin.y) * scale == Double(pixels.y))
      }
    }
  }

  @Test func `the default style has the expected cell sizes`() throws {
    let grid = try #require(SpriteGrid(pictures(64, 64, [1, 2, 3])))
    #expect(grid.gutter == 1 && grid.pitchX == 65 && grid.pitchY == 65)
    // 1 + 20 × 65 = 1301 points are 3903 pixels; one more column would be 4098.
    #expect(grid.columns == 20 && grid.rows == 20)
    #expect(grid.size(of: 21, amid: 21, at: 2) == PixelSize(width: 2_602, height: 262))
    #expect(grid.size(of: 3, amid: 3, at: 1) == PixelSize(width: 196, height: 66))
    #expect(grid.size(of: 3, amid: 403, at: 1) == PixelSize(width: 1_301, height: 66))
    #expect(grid.pixels(of: 20, at: 3) == (3, 198))
  }

  @Test func `a picture and its gutters must fit into one sheet`() {
    #expect(SpriteGrid(pictures(4_094, 8, [1])) != nil)
    #expect(SpriteGrid(pictures(4_095, 8, [1])) == nil)
    #expect(SpriteGrid(pictures(8, 2_047, [1, 2])) == nil)
    #expect(SpriteGrid(pictures(8, 2_046, [1, 2])) != nil)
    #expect(SpriteGrid([]) == nil)
  }
}

extension TestPicture {
  /// Returns an AVIF or HEIC with a valid structure but undecodable data.
  ///
  /// The picture is cropped first and then rotated to the left. `tiles` makes it a grid, and
  /// `gridSize` can declare a different size.
  /// `numberBytes` is the size of offsets and lengths.
  /// `moreAssociations` adds boxes that repeat one property 255 times, and `moreExtents` adds boxes
  /// with 1,000 empty extents.
  package static func heifStructure(
    brand: String = "avif", width: Int, height: Int, quarterTurns: Int? = nil,
    crop: (width: Int, height: Int)? = nil, tiles: (columns: Int, rows: Int)? = nil,
    gridSize: (width: Int, height: Int)? = nil, dataBytes: Int = 200,
    numberBytes: Int = 4, moreAssociations: Int = 0, moreExtents: Int = 0
  ) -> Data {
    let codec = brand == "avif" ? "av01" : "hvc1"
    var properties = [
      fullBox("ispe", .big(width, width: 4) + .big(height, width: 4)),
      box("av1C", [0x81, 0, 0, 0]),
    ]
    if let crop {
      let numbers = [crop.width, 1, crop.height, 1, 0, 1, 0, 1]
      properties.append(box("clap", numbers.flatMap { [UInt8].big($0, width: 4) }))
    }
    if let quarterTurns { properties.append(box("irot", [UInt8(quarterTurns)])) }

    let tileCount = tiles.map { $0.columns * $0.rows } ?? 0
    var types = [tiles == nil ? codec : "grid"]
    types += [String](repeating: codec, count: tileCount)
    let parts = types.enumerated().map { index, type in
      fullBox("infe", version: 2, .big(index + 1, width: 2) + [0, 0] + type.utf8 + [0])
    }
    let associations: [UInt8] =
      .big(1, width: 4) + .big(1, width: 2) + [UInt8(properties.count)]
      + (1...properties.count).map { UInt8($0) | 0x80 }

    let more = fullBox(
      "ipma",
      .big(1, width: 4) + .big(1, width: 2) + [255] + [UInt8](repeating: 1, count: 255))
    let assigning =
      fullBox("ipma", associations)
      + [[UInt8]](repeating: more, count: moreAssociations).joined()

    var grid: [UInt8] = []
    var references: [[UInt8]] = []
    if let tiles {
      grid = [0, 1, UInt8(tiles.rows - 1), UInt8(tiles.columns - 1)]
      grid.appendBig(gridSize?.width ?? width, width: 4)
      grid.appendBig(gridSize?.height ?? height, width: 4)
      let targets = (0..<tileCount).flatMap { [UInt8].big($0 + 2, width: 2) }
      references.append(
        fullBox("iref", box("dimg", .big(1, width: 2) + .big(tileCount, width: 2) + targets)))
    }

    func meta(dataStart: Int) -> [UInt8] {
      // Version 1, offsets and lengths of the same size, one extent each; the grid is in `idat`.
      var places: [UInt8] = [UInt8(numberBytes * 0x11), 0x00] + .big(types.count, width: 2)
      for index in types.indices {
        let isGrid = tiles != nil && index == 0
        places += .big(index + 1, width: 2) + .big(isGrid ? 1 : 0, width: 2) + [0, 0, 0, 1]
        places.appendBig(isGrid ? 0 : dataStart, width: numberBytes)
        places.appendBig(isGrid ? grid.count : dataBytes, width: numberBytes)
      }
      let handler = fullBox("hdlr", [0, 0, 0, 0] + "pict".utf8 + [UInt8](repeating: 0, count: 13))
      let children =
        [handler, fullBox("pitm", .big(1, width: 2)), fullBox("iloc", version: 1, places)]
        + [[UInt8]](
          repeating: fullBox("iloc", [0, 0, 0, 1, 0, 99, 0, 0] + .big(1_000, width: 2)),
          count: moreExtents)
        + [fullBox("iinf", .big(types.count, width: 2) + parts.joined())] + references
        + [box("iprp", box("ipco", Array(properties.joined())) + assigning)]
        + (grid.isEmpty ? [] : [box("idat", grid)])
      return fullBox("meta", Array(children.joined()))
    }

    let head = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + "mif1".utf8 + brand.utf8)
    let dataStart = head.count + meta(dataStart: 0).count + 8
    let data = box("mdat", (0..<dataBytes).map { UInt8($0 % 251) })
    return Data(head + meta(dataStart: dataStart) + data)
  }

  package static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    .big(payload.count + 8, width: 4) + type.utf8 + payload
  }

  private static func fullBox(_ type: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 0] + payload)
  }
}

extension HEIFMeta {
  /// Types whose data is a compressed picture of the size that its `ispe` states.
  private static let coded: Set<FourCC> = ["av01", "hvc1"]
  /// An overlay, and a picture that is another one turned or cropped.
  private static let derived: Set<FourCC> = ["iovl", "iden"]

  /// Refuses pictures that are made of others, but for grids, whose sizes are checked.
  ///
  /// Such a part states a size in its data, and decoders trust that one. They look not only at the
  /// primary part but also at its tiles and its alpha, so no overlay may be anywhere.
  func checkTypes(_ size: PixelSize, in bytes: borrowing Bytes) throws(Rejection) {
    guard let primary, let type = types[primary] else {
      throw .corrupt("the file does not say what its picture is")
    }
    guard type == "grid" || Self.coded.contains(type) else {
      throw .unsupported(variant: "this file's picture is of the kind \(type.text)")
    }
    for part in types.keys.sorted() {
      switch types[part] {
      case let type? where Self.derived.contains(type):
        throw .unsupported(variant: "this file derives a picture from others (\(type.text))")
      case "grid":
        let stated = try gridSize(part, in: bytes)
        guard part != primary || stated == size else {
          throw .corrupt("the file states two different sizes")
        }
      default: continue
      }
    }
  }

  private func gridSize(_ part: Int, in bytes: borrowing Bytes) throws(Rejection) -> PixelSize {
    guard let place = places[part] else { throw .corrupt("the data of a grid are missing") }
    var fields = ISOFields(place)
    _ = try fields.next(1, in: bytes)
    let width = try fields.next(1, in: bytes) & 1 == 1 ? 4 : 2
    let rows = try fields.next(1, in: bytes) + 1
    let columns = try fields.next(1, in: bytes) + 1
    guard rows * columns <= limits.parts else {
      throw Rejection(.tooManyChunks, "the picture is made of \((rows * columns).grouped) tiles")
    }
    for tile in ingredients[part] ?? [] {
      guard let type = types[tile], Self.coded.contains(type) else {
        throw .unsupported(variant: "this file has tiles that are no pictures of their own")
      }
    }
    return try limits.checked(
      width: try fields.next(width, in: bytes), height: try fields.next(width, in: bytes))
  }
}

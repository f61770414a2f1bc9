/// The `meta` box of an AVIF or HEIC: which parts there are, how large, and where.
///
/// Where the file says a thing twice the first counts, as it does for libheif.
package struct HEIFMeta {
  let limits: InspectionLimits
  var primary: Int?
  /// The number that says which part is the primary one.
  var primaryPlace: Range<Int>?
  /// What each part is.
  var types: [Int: FourCC] = [:]
  /// In file order; a part names its properties by place, counted from 1.
  var properties: [ISOBox] = []
  /// The properties of each part.
  var associations: [Int: [Int]] = [:]
  /// The parts that each part is made of.
  var ingredients: [Int: [Int]] = [:]
  /// The first stretch of each part's data in the file.
  var places: [Int: Range<Int>] = [:]
  var ownData: Range<Int>?
  /// Parts that belong to another one, as masks and depth maps do.
  var auxiliaries: [(part: Int, master: Int)] = []
  /// Parts whose colours are multiplied with their alpha.
  var premultiplied: Set<Int> = []

  var hasOwnData: Bool { ownData != nil }

  init(_ box: ISOBox, in bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    self.limits = limits
    let end = box.payload.upperBound
    let children = min(box.payload.lowerBound + 4, end)..<end
    // What the other boxes are read for may stand behind them.
    var preparation = ISOBoxWalk(children, limits: limits)
    while let child = try preparation.next(in: bytes) {
      switch child.type {
      case "pitm" where primary == nil:
        var fields = ISOFields(child.payload)
        let version = try fields.versionAndFlags(in: bytes).version
        let start = fields.position
        primary = try fields.next(version == 0 ? 2 : 4, in: bytes)
        primaryPlace = start..<fields.position
      case "idat" where ownData == nil: ownData = child.payload
      default: continue
      }
    }
    var walk = ISOBoxWalk(children, limits: limits)
    while let child = try walk.next(in: bytes) {
      switch child.type {
      case "iinf": try readParts(child, in: bytes)
      case "iref": try readReferences(child, in: bytes)
      case "iprp": try readProperties(child, in: bytes)
      case "iloc": try readPlaces(child, in: bytes)
      default: continue
      }
    }
  }

  /// The size after crop and rotation, once every size in the file is within the limits.
  func size(in bytes: borrowing FileBytes) throws(Rejection) -> PixelSize {
    var largest: PixelSize?
    for property in properties where property.type == "ispe" {
      let size = try extent(property, in: bytes)
      guard let known = largest else {
        largest = size
        continue
      }
      if size.width * size.height > known.width * known.height { largest = size }
    }
    guard var size = largest else { throw .corrupt("the file states no size") }

    let own = primary.map(properties(of:)) ?? []
    for property in own where property.type == "ispe" {
      size = try extent(property, in: bytes)
    }
    try checkTypes(size, in: bytes)
    for property in own {
      if property.type == "clap" { size = try cropped(size, property, in: bytes) }
      if property.type == "irot", try bytes.byte(at: property.payload.lowerBound) & 1 == 1 {
        size = PixelSize(width: size.height, height: size.width)
      }
    }
    return size
  }

  /// Those that there are, in the order that the part names them in.
  func properties(of part: Int) -> [ISOBox] {
    (associations[part] ?? []).filter { properties.indices.contains($0 - 1) }
      .map { properties[$0 - 1] }
  }

  private func extent(
    _ property: ISOBox, in bytes: borrowing FileBytes
  ) throws(Rejection) -> PixelSize {
    var fields = ISOFields(property.payload)
    _ = try fields.versionAndFlags(in: bytes)
    let width = try fields.next(4, in: bytes)
    return try limits.checked(width: width, height: try fields.next(4, in: bytes))
  }

  /// A crop states each side as a fraction, and must lie within the picture.
  ///
  /// Rounded half up, as libheif does; a crop beside the picture's middle does not change that.
  private func cropped(
    _ size: PixelSize, _ property: ISOBox, in bytes: borrowing FileBytes
  ) throws(Rejection) -> PixelSize {
    var fields = ISOFields(property.payload)
    var sides: [Int] = []
    for limit in [size.width, size.height] {
      let numerator = try fields.next(4, in: bytes)
      let denominator = try fields.next(4, in: bytes)
      let side = denominator > 0 ? (numerator + denominator / 2) / denominator : 0
      guard (1...limit).contains(side) else {
        throw .corrupt("the file states an impossible crop")
      }
      sides.append(side)
    }
    return PixelSize(width: sides[0], height: sides[1])
  }
}

extension HEIFMeta {
  /// Types whose data is a compressed picture of the size that its `ispe` states.
  private static let coded: Set<FourCC> = ["av01", "hvc1"]
  /// An overlay, and a picture that is another one turned or cropped.
  private static let derived: Set<FourCC> = ["iovl", "iden"]

  /// Refuses pictures that are made of others, but for grids, whose sizes are checked.
  ///
  /// Such a part states a size in its data, and decoders trust that one. They look not only at the
  /// primary part but also at its tiles and its alpha, so no overlay may be anywhere.
  func checkTypes(_ size: PixelSize, in bytes: borrowing FileBytes) throws(Rejection) {
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

  private func gridSize(_ part: Int, in bytes: borrowing FileBytes) throws(Rejection) -> PixelSize {
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

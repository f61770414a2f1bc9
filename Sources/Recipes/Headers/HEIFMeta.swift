/// The `meta` box of an AVIF or HEIC file, which describes the items in the file.
///
/// If the file contains a value twice, the first one is used, as in libheif.
package struct HEIFMeta {
  let bytes: FileBytes
  let limits: InspectionLimits
  var primary: Int?
  var types: [Int: FourCC] = [:]
  /// The properties in file order; items refer to them by index, starting at 1.
  var properties: [Chunk] = []
  var associations: [Int: [Int]] = [:]
  var ingredients: [Int: [Int]] = [:]
  var extents: [Int: Range<Int>] = [:]
  var ownData: Range<Int>?
  /// Items that belong to another item, such as alpha planes and depth maps.
  var auxiliaries: [(part: Int, master: Int)] = []
  private var links = 0

  init(_ box: Chunk, in bytes: FileBytes, limits: InspectionLimits) throws(Rejection) {
    (self.bytes, self.limits) = (bytes, limits)
    let end = box.payload.upperBound
    let children = min(box.payload.lowerBound + 4, end)..<end
    // Read `pitm` and `idat` first: other boxes refer to them, but may precede them in the file.
    var preparation = ISOBoxWalk(bytes, children, limits)
    while let child = try preparation.next() {
      switch child.type {
      case "pitm" where primary == nil:
        var fields = ISOFields(bytes, child.payload)
        let version = try fields.versionAndFlags().version
        primary = try fields.next(version == 0 ? 2 : 4)
      case "idat" where ownData == nil: ownData = child.payload
      default: continue
      }
    }
    var walk = ISOBoxWalk(bytes, children, limits)
    while let child = try walk.next() {
      switch child.type {
      case "iinf": try readParts(child)
      case "iref": try readReferences(child)
      case "iprp": try readProperties(child)
      case "iloc": try readExtents(child)
      default: continue
      }
    }
  }

  /// Returns the size after cropping and rotation; throws if any size in the file is too large.
  func size() throws(Rejection) -> PixelSize {
    var sizes: [PixelSize] = []
    for property in properties where property.type == "ispe" {
      sizes.append(try statedSize(property))
    }
    guard var size = sizes.max(by: { $0.width * $0.height < $1.width * $1.height }) else {
      throw .corrupt("the file does not specify a size")
    }
    let own = primary.map(properties(of:)) ?? []
    for property in own where property.type == "ispe" {
      size = try statedSize(property)
    }
    try checkTypes(size)
    for property in own {
      if property.type == "clap" { size = try cropped(size, property) }
      if property.type == "irot", try bytes.byte(at: property.payload.lowerBound) & 1 == 1 {
        size = PixelSize(width: size.height, height: size.width)
      }
    }
    return size
  }

  func properties(of part: Int) -> [Chunk] {
    (associations[part] ?? []).compactMap {
      properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil
    }
  }

  private func statedSize(_ property: Chunk) throws(Rejection) -> PixelSize {
    var fields = ISOFields(bytes, property.payload)
    _ = try fields.versionAndFlags()
    let width = try fields.next(4)
    return try limits.checked(width: width, height: try fields.next(4))
  }

  /// Returns the size after cropping; rounds fractional sides half up, as libheif does.
  private func cropped(_ size: PixelSize, _ property: Chunk) throws(Rejection) -> PixelSize {
    var fields = ISOFields(bytes, property.payload)
    var sides: [Int] = []
    for limit in [size.width, size.height] {
      let numerator = try fields.next(4)
      let denominator = try fields.next(4)
      let side = denominator > 0 ? (numerator + denominator / 2) / denominator : 0
      guard (1...limit).contains(side) else { throw .corrupt("the file has an invalid crop") }
      sides.append(side)
    }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// The item types of compressed pictures, whose size is in `ispe`.
  private static let coded: Set<FourCC> = ["av01", "hvc1"]
  /// The item types of overlays and of unchanged copies of other items.
  private static let derived: Set<FourCC> = ["iovl", "iden"]

  /// Checks the sizes of grids, and rejects all other derived images.
  ///
  /// Decoders trust the size in a derived image. All items are checked, because decoders also read
  /// the tiles and the alpha plane of the primary item.
  private func checkTypes(_ size: PixelSize) throws(Rejection) {
    guard let primary, let type = types[primary] else {
      throw .corrupt("the file does not specify the type of its picture")
    }
    guard type == "grid" || Self.coded.contains(type) else {
      throw .unsupported(variant: "this file contains a picture of type \(type.text)")
    }
    for part in types.keys.sorted() {
      switch types[part] {
      case let type? where Self.derived.contains(type):
        throw .unsupported(variant: "this file uses a derived image (\(type.text))")
      case "grid":
        let stated = try gridSize(part)
        guard part != primary || stated == size else {
          throw .corrupt("the file specifies two different sizes")
        }
      default: continue
      }
    }
  }

  private func gridSize(_ part: Int) throws(Rejection) -> PixelSize {
    guard let extent = extents[part] else { throw .corrupt("the grid data is missing") }
    var fields = ISOFields(bytes, extent)
    _ = try fields.next(1)
    let width = try fields.next(1) & 1 == 1 ? 4 : 2
    let rows = try fields.next(1) + 1
    let columns = try fields.next(1) + 1
    guard rows * columns <= limits.parts else {
      throw Rejection(.tooManyChunks, "the picture has \((rows * columns).grouped) tiles")
    }
    for tile in ingredients[part] ?? [] {
      guard let type = types[tile], Self.coded.contains(type) else {
        throw .unsupported(variant: "the tiles in this file are not separate pictures")
      }
    }
    return try limits.checked(width: try fields.next(width), height: try fields.next(width))
  }

  private mutating func readParts(_ box: Chunk) throws(Rejection) {
    var fields = ISOFields(bytes, box.payload)
    let version = try fields.versionAndFlags().version
    try checkParts(try fields.next(version == 0 ? 2 : 4))
    var walk = ISOBoxWalk(bytes, fields.position..<fields.end, limits)
    var count = 0
    while let entry = try walk.next() {
      count += 1
      try checkParts(count)
      try addLinks(1)
      guard entry.type == "infe" else { continue }
      var fields = ISOFields(bytes, entry.payload)
      let version = try fields.versionAndFlags().version
      guard version >= 2 else { continue }
      let id = try fields.next(version == 2 ? 2 : 4)
      _ = try fields.next(2)
      let type = FourCC(raw: UInt32(try fields.next(4)))
      if types[id] == nil { types[id] = type }
    }
  }

  private mutating func readReferences(_ box: Chunk) throws(Rejection) {
    var fields = ISOFields(bytes, box.payload)
    let width = try fields.versionAndFlags().version == 0 ? 2 : 4
    var walk = ISOBoxWalk(bytes, fields.position..<fields.end, limits)
    while let reference = try walk.next() {
      var fields = ISOFields(bytes, reference.payload)
      let part = try fields.next(width)
      let count = try fields.next(2)
      try checkParts(count)
      guard ["dimg", "auxl"].contains(reference.type) else { continue }
      var others: [Int] = []
      try addLinks(count)
      for _ in 0..<count { others.append(try fields.next(width)) }
      if reference.type == "auxl" {
        auxiliaries += others.map { (part, $0) }
        auxiliaries = Array(auxiliaries.prefix(limits.parts))
      } else if ingredients[part] == nil {
        ingredients[part] = others
      }
    }
  }

  private mutating func readProperties(_ box: Chunk) throws(Rejection) {
    var walk = ISOBoxWalk(bytes, box.payload, limits)
    while let child = try walk.next() {
      switch child.type {
      case "ipco":
        var container = ISOBoxWalk(bytes, child.payload, limits)
        while let property = try container.next() {
          properties.append(property)
          try checkParts(properties.count)
        }
      case "ipma":
        try readAssociations(child)
      default:
        continue
      }
    }
  }

  private mutating func readAssociations(_ box: Chunk) throws(Rejection) {
    var fields = ISOFields(bytes, box.payload)
    let (version, flags) = try fields.versionAndFlags()
    let parts = try fields.next(4)
    try checkParts(parts)
    for _ in 0..<parts {
      let id = try fields.next(version == 0 ? 2 : 4)
      let count = try fields.next(1)
      try addLinks(count + 1)
      for _ in 0..<count {
        // Mask out the highest bit, which marks the property as essential.
        let isWide = flags & 1 == 1
        let index = try fields.next(isWide ? 2 : 1) & (isWide ? 0x7FFF : 0x7F)
        associations[id, default: []].append(index)
      }
    }
  }

  /// Reads the `iloc` box; throws if an item extends past the end of the file.
  private mutating func readExtents(_ box: Chunk) throws(Rejection) {
    var fields = ISOFields(bytes, box.payload)
    let version = try fields.versionAndFlags().version
    let widths = try fields.next(2)
    guard [widths, widths >> 4, widths >> 8, widths >> 12].allSatisfy({ $0 & 15 <= 8 }) else {
      throw .corrupt("the file has invalid offset sizes")
    }
    let parts = try fields.next(version < 2 ? 2 : 4)
    try checkParts(parts)
    for _ in 0..<parts {
      let id = try fields.next(version < 2 ? 2 : 4)
      // Offsets refer to the file (method 0), to `idat` (method 1), or to another item (method 2).
      let method = version == 0 ? 0 : try fields.next(2) & 15
      let isElsewhere = try fields.next(2) != 0
      let base = try fields.next(widths >> 4 & 15)
      let count = try fields.next(2)
      try checkParts(count)
      try addLinks(1 + count)
      for index in 0..<count {
        _ = version == 0 ? 0 : try fields.next(widths & 15)
        let offset = base + (try fields.next(widths >> 12))
        let length = try fields.next(widths >> 8 & 15)
        guard !isElsewhere, method <= 1 else { continue }
        let start = (method == 0 ? 0 : ownData?.lowerBound ?? 0) + offset
        try bytes.require(length, at: start)
        if index == 0, extents[id] == nil { extents[id] = start..<start + length }
      }
    }
  }

  /// Limits the total number of entries, because repeated boxes could use too much memory or time.
  private mutating func addLinks(_ count: Int) throws(Rejection) {
    links += count
    guard links > 16 * limits.parts else { return }
    throw Rejection(.tooManyChunks, "the file has too much metadata about its parts")
  }

  private func checkParts(_ count: Int) throws(Rejection) {
    guard count > limits.parts else { return }
    throw Rejection(
      .tooManyChunks,
      "the file has \(count.grouped) parts; the limit is \(limits.parts.grouped)")
  }
}

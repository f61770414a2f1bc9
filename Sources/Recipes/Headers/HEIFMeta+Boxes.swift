extension HEIFMeta {
  /// `iinf`: how many parts there are, and what each is.
  mutating func readParts(_ box: ISOBox, in bytes: borrowing FileBytes) throws(Rejection) {
    var fields = ISOFields(box.payload)
    let version = try fields.versionAndFlags(in: bytes).version
    try checkParts(try fields.next(version == 0 ? 2 : 4, in: bytes))
    var walk = ISOBoxWalk(fields.position..<fields.end, limits: limits)
    var count = 0
    while let entry = try walk.next(in: bytes) {
      count += 1
      try checkParts(count)
      guard entry.type == "infe" else { continue }
      var fields = ISOFields(entry.payload)
      let version = try fields.versionAndFlags(in: bytes).version
      guard version >= 2 else { continue }
      let id = try fields.next(version == 2 ? 2 : 4, in: bytes)
      _ = try fields.next(2, in: bytes)
      let type = FourCC(raw: UInt32(try fields.next(4, in: bytes)))
      if types[id] == nil { types[id] = type }
    }
  }

  /// `iref`: no part is made of more parts than there may be.
  mutating func readReferences(_ box: ISOBox, in bytes: borrowing FileBytes) throws(Rejection) {
    var fields = ISOFields(box.payload)
    let width = try fields.versionAndFlags(in: bytes).version == 0 ? 2 : 4
    var walk = ISOBoxWalk(fields.position..<fields.end, limits: limits)
    defer { auxiliaries = Array(auxiliaries.prefix(limits.parts)) }
    while let reference = try walk.next(in: bytes) {
      var fields = ISOFields(reference.payload)
      let part = try fields.next(width, in: bytes)
      let count = try fields.next(2, in: bytes)
      try checkParts(count)
      guard ["dimg", "auxl", "prem"].contains(reference.type) else { continue }
      var others: [Int] = []
      for _ in 0..<count { others.append(try fields.next(width, in: bytes)) }
      switch reference.type {
      case "dimg": if ingredients[part] == nil { ingredients[part] = others }
      case "auxl": auxiliaries += others.map { (part, $0) }
      default: premultiplied.insert(part)
      }
    }
  }

  /// `iprp`: all properties, and which of them are whose.
  mutating func readProperties(_ box: ISOBox, in bytes: borrowing FileBytes) throws(Rejection) {
    var walk = ISOBoxWalk(box.payload, limits: limits)
    while let child = try walk.next(in: bytes) {
      switch child.type {
      case "ipco":
        var container = ISOBoxWalk(child.payload, limits: limits)
        while let property = try container.next(in: bytes) {
          properties.append(property)
          try checkParts(properties.count)
        }
      case "ipma":
        try readAssociations(child, in: bytes)
      default:
        continue
      }
    }
  }

  private mutating func readAssociations(
    _ box: ISOBox, in bytes: borrowing FileBytes
  ) throws(Rejection) {
    var fields = ISOFields(box.payload)
    let (version, flags) = try fields.versionAndFlags(in: bytes)
    let parts = try fields.next(4, in: bytes)
    try checkParts(parts)
    for _ in 0..<parts {
      let id = try fields.next(version == 0 ? 2 : 4, in: bytes)
      for _ in 0..<(try fields.next(1, in: bytes)) {
        // The highest bit says whether a reader may ignore the property.
        let isWide = flags & 1 == 1
        let index = try fields.next(isWide ? 2 : 1, in: bytes) & (isWide ? 0x7FFF : 0x7F)
        associations[id, default: []].append(index)
      }
    }
  }

  /// `iloc`: every part lies within the file, which finds cut files whatever their boxes say.
  mutating func readPlaces(_ box: ISOBox, in bytes: borrowing FileBytes) throws(Rejection) {
    var fields = ISOFields(box.payload)
    let version = try fields.versionAndFlags(in: bytes).version
    let widths = try fields.next(2, in: bytes)
    guard [widths, widths >> 4, widths >> 8, widths >> 12].allSatisfy({ $0 & 15 <= 8 }) else {
      throw .corrupt("the file states its places in an impossible way")
    }
    let parts = try fields.next(version < 2 ? 2 : 4, in: bytes)
    try checkParts(parts)
    for _ in 0..<parts {
      let id = try fields.next(version < 2 ? 2 : 4, in: bytes)
      // How the place is meant: 0 in the file, 1 in the box's own data, 2 in another part.
      let method = version == 0 ? 0 : try fields.next(2, in: bytes) & 15
      let isElsewhere = try fields.next(2, in: bytes) != 0
      let base = try fields.next(widths >> 4 & 15, in: bytes)
      let extents = try fields.next(2, in: bytes)
      try checkParts(extents)
      for index in 0..<extents {
        _ = version == 0 ? 0 : try fields.next(widths & 15, in: bytes)
        let offset = base + (try fields.next(widths >> 12, in: bytes))
        let length = try fields.next(widths >> 8 & 15, in: bytes)
        guard !isElsewhere, method <= 1 else { continue }
        let start = (method == 0 ? 0 : ownData?.lowerBound ?? 0) + offset
        try bytes.require(length, at: start)
        if index == 0, places[id] == nil { places[id] = start..<start + length }
      }
    }
  }

  private func checkParts(_ count: Int) throws(Rejection) {
    guard count > limits.parts else { return }
    throw Rejection(
      .tooManyChunks,
      "the file has \(count.grouped) parts; the limit is \(limits.parts.grouped)")
  }
}

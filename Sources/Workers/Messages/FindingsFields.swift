import Imaging

/// What travels of an image beside its bytes.
private enum FindingsPart {
  static let placeholder: UInt8 = 1
  static let focus: UInt8 = 2
  static let quality: UInt8 = 4
}

extension ByteWriter {
  mutating func write(_ findings: Findings) {
    write(
      (findings.placeholder == nil ? 0 : FindingsPart.placeholder)
        | (findings.focus == nil ? 0 : FindingsPart.focus)
        | (findings.quality == nil ? 0 : FindingsPart.quality))
    if let placeholder = findings.placeholder {
      write(counted: placeholder.thumbHash)
      for value in [placeholder.color.red, placeholder.color.green, placeholder.color.blue] {
        write(value)
      }
    }
    if let found = findings.focus {
      write(FoundFocus.Way.allCases.firstIndex(of: found.way).map { UInt8($0) } ?? .max)
      write(found.focus.x.bitPattern)
      write(found.focus.y.bitPattern)
    }
    if let quality = findings.quality { write(UInt8(clamping: quality)) }
  }
}

extension ByteReader {
  /// Reads what can have been found out while a recipe was followed, and nothing else.
  mutating func readFindings(of recipe: Recipe) throws(Malformed) -> Findings {
    let parts = try read(UInt8.self)
    var allowed: UInt8 = 0
    if recipe.frame.box == recipe.frame.base {
      allowed |= FindingsPart.placeholder
      if recipe.frame.finder != nil { allowed |= FindingsPart.focus }
    }
    if recipe.encoding.limit != nil, recipe.encoding.quality != nil {
      allowed |= FindingsPart.quality
    }
    guard parts & ~allowed == 0 else { throw Malformed() }
    var findings = Findings()
    if parts & FindingsPart.placeholder != 0 { findings.placeholder = try readPlaceholder() }
    if parts & FindingsPart.focus != 0 { findings.focus = try readFocus() }
    if parts & FindingsPart.quality != 0 { findings.quality = Int(try read(UInt8.self)) }
    guard findings.isPossible else { throw Malformed() }
    return findings
  }

  private mutating func readPlaceholder() throws(Malformed) -> Placeholder {
    let hash = Array(try readCounted())
    let red = try read(UInt8.self)
    let green = try read(UInt8.self)
    let color = Color(red: red, green: green, blue: try read(UInt8.self))
    return Placeholder(thumbHash: hash, color: color)
  }

  private mutating func readFocus() throws(Malformed) -> FoundFocus {
    let way = Int(try read(UInt8.self))
    let x = Double(bitPattern: try read(UInt64.self))
    let y = Double(bitPattern: try read(UInt64.self))
    guard FoundFocus.Way.allCases.indices.contains(way) else { throw Malformed() }
    return FoundFocus(focus: Focus(x: x, y: y), way: FoundFocus.Way.allCases[way])
  }
}

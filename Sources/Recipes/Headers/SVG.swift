package import Foundation

extension Inspection {
  /// The longer side of a rendered SVG in pixels; this size is enough for every style.
  static let drawingSide = 4_096

  init(svg file: Data, limits: InspectionLimits) throws(Rejection) {
    var walk = SVGWalk(file, limits)
    var ratio: Double?
    var pixels = 0
    while let element = try walk.next() {
      if ratio == nil {
        guard element.name == "svg" else { throw .unsupported("this is an XML document") }
        ratio = try Self.ratio(of: element) ?? 1
        try walk.checkEntities()
      }
      if element.name == "image" || element.name == "feImage" {
        for (name, address) in element.attributes where name == "href" || name == "xlink:href" {
          pixels += try Self.pixels(embeddedAs: address, limits: limits)
        }
      }
    }
    guard let ratio else { throw .unsupported("this is an XML document") }
    guard pixels <= limits.pixels else {
      throw Rejection(.tooManyPixels, "the embedded pictures add up to \(pixels.grouped) pixels")
    }
    let side = Double(Self.drawingSide)
    let size = (width: side * min(ratio, 1), height: side * min(1 / ratio, 1))
    guard (1 / 64.0...64).contains(ratio) else {
      throw .unsupported(variant: "one side of the SVG is more than 64 times as long as the other")
    }
    self.init(
      format: .svg,
      size: PixelSize(width: Int(size.width.rounded()), height: Int(size.height.rounded())))
  }

  /// Returns width divided by height, or nil if the root has neither a size nor a `viewBox`.
  private static func ratio(of root: SVGWalk.Element) throws(Rejection) -> Double? {
    func attribute(_ name: String) -> String? { root.attributes.last { $0.name == name }?.value }
    if let width = attribute("width").flatMap(pixels),
      let height = attribute("height").flatMap(pixels)
    {
      return width / height
    }
    guard let viewBox = attribute("viewBox") else {
      for case let length? in [attribute("width"), attribute("height")]
      where pixels(length) == nil && !length.hasSuffix("%") {
        throw .unsupported("the SVG has an invalid size")
      }
      return nil
    }
    let box = viewBox.split { $0.isWhitespace || $0 == "," }.map { Double($0) }
    guard box.count == 4, let width = box[2], let height = box[3], width > 0, height > 0,
      (width / height).isFinite
    else {
      throw .unsupported("the SVG has an invalid `viewBox`")
    }
    return width / height
  }

  /// Returns the SVG, adding a `viewBox` of 100 × 100 if it does not specify a size.
  package static func sized(svg file: Data) -> Data {
    var walk = SVGWalk(file, .standard)
    guard let root = try? walk.next(), (try? ratio(of: root)) == .some(nil) else { return file }
    let place = file.startIndex + root.nameEnd
    return file[..<place] + Data(" viewBox='0 0 100 100'".utf8) + file[place...]
  }

  /// Converts a length to pixels; returns nil for percentages and invalid lengths.
  private static func pixels(_ length: String) -> Double? {
    let text = length.trimmingCharacters(in: .whitespaces)
    let units = [
      "px": 1, "pt": 4 / 3.0, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16,
      "ex": 8,
    ]
    let unit = units[String(text.suffix(2))]
    guard let number = Double(unit == nil ? text : String(text.dropLast(2))), number.isFinite,
      number > 0.001, number < 1e9
    else { return nil }
    return number * (unit ?? 1)
  }

  /// Returns the pixel count of an embedded picture, which must be a valid PNG or JPEG.
  private static func pixels(
    embeddedAs address: String, limits: InspectionLimits
  ) throws(Rejection) -> Int {
    if address.hasPrefix("#") || address.isEmpty { return 0 }
    let scheme = "data:"
    guard address.prefix(scheme.count).lowercased() == scheme,
      let comma = address.firstIndex(of: ",")
    else {
      throw .unsupported(
        variant: "the SVG refers to an external picture, "
          + "“\(address.unicodeScalars.prefix(60).map(String.init).joined())”")
    }
    // Remove encoded line breaks, which Inkscape writes.
    let letters = address[address.index(after: comma)...].replacing("&#10;", with: "")
    guard address[..<comma].lowercased().hasSuffix(";base64"),
      let file = Data(base64Encoded: String(letters), options: .ignoreUnknownCharacters)
    else { throw .unsupported(variant: "the SVG contains a picture that is not Base64-encoded") }
    let picture: Inspection
    do {
      picture = try Inspection(inspecting: file, limits: limits)
    } catch {
      throw Rejection(error.reason, "a picture in the SVG: \(error.detail)")
    }
    guard picture.format == .png || picture.format == .jpeg else {
      throw .unsupported(
        variant: "the SVG contains a picture in \(picture.format.rawValue.uppercased()), "
          + "but only PNG and JPEG can be embedded")
    }
    return picture.size.width * picture.size.height
  }

  /// Returns whether an SVG contains text, which sitegen does not render.
  package static func hasText(inSVG bytes: Data) -> Bool {
    var walk = SVGWalk(bytes, .standard)
    while let element = try? walk.next() {
      if element.name == "text" { return true }
    }
    return false
  }
}

/// A lenient iterator over XML elements; librsvg later parses the file strictly.
private struct SVGWalk {
  struct Element {
    var name: String
    var nameEnd: Int
    /// The attributes as written, collected only for the root element and for pictures.
    var attributes: [(name: String, value: String)] = []
  }

  private let bytes: [UInt8]
  private let limits: InspectionLimits
  private var position = 0
  private var count = 0
  private var depth = 0
  private var hasDocumentType = false
  /// The length of each entity's value, keyed by the first 64 bytes of the entity's name.
  private var entities: [String: Int] = [:]

  init(_ file: Data, _ limits: InspectionLimits) {
    bytes = [UInt8](file)
    self.limits = limits
  }

  mutating func next() throws(Rejection) -> Element? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if skip("<!--") {
        try skipPast("-->")
      } else if skip("<![CDATA[") {
        try skipPast("]]>")
      } else if skip("<?") {
        try skipPast("?>")
        try Self.checkEncoding(text(start..<min(position, start + 256)))
      } else if skip("<!") {
        // Like librsvg, accept only one DOCTYPE, and only before the root element.
        guard has("DOCTYPE"), !hasDocumentType, count == 0 else {
          throw .corrupt("the SVG has a declaration in the wrong place")
        }
        hasDocumentType = true
        try skipDocumentType()
      } else if skip("</") {
        try skipPast(">")
        depth -= 1
      } else {
        position += 1
        return try element()
      }
    }
    guard depth <= 0 else { throw .truncated(bytes.count) }
    return nil
  }

  /// Throws for encodings that this scan and librsvg would read differently.
  private static func checkEncoding(_ text: String) throws(Rejection) {
    guard text.hasPrefix("<?xml"), text.dropFirst(5).first?.isWhitespace == true else { return }
    // Reject declarations over 256 bytes: `encoding` may be in the part that was cut off.
    guard text.hasSuffix("?>") else {
      throw .unsupported(variant: "the SVG XML declaration is longer than 256 bytes")
    }
    guard let at = text.range(of: "encoding")?.upperBound else { return }
    let name = text[at...].drop { " \t\r\n='\"".contains($0) }.lowercased()
    guard ["utf-8", "us-ascii", "iso-8859-", "windows-125"].contains(where: name.hasPrefix) else {
      throw .unsupported(variant: "the SVG is not encoded in UTF-8")
    }
  }

  private mutating func element() throws(Rejection) -> Element {
    count += 1
    guard count <= limits.elements else {
      throw Rejection(.tooManyChunks, "the SVG has more than \(limits.elements.grouped) elements")
    }
    let start = position
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    let name = text(start..<min(position, start + 64))
    var element = Element(name: String(name.split(separator: ":").last ?? ""), nameEnd: position)
    let isWanted = count == 1 || element.name == "image" || element.name == "feImage"
    var isOpen = true
    while true {
      guard position < bytes.count else { throw .truncated(bytes.count) }
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") { break }
      isOpen = byte != UInt8(ascii: "/")
      position += 1
      guard isOpen, !Self.isSpace(byte) else { continue }
      let first = position - 1
      skip { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
      let key = first..<min(position, first + 64)
      skip { Self.isSpace($0) || $0 == UInt8(ascii: "=") }
      guard position < bytes.count, "\"'".utf8.contains(bytes[position]) else {
        throw .corrupt("an attribute of <\(name)> does not have a value")
      }
      guard let last = bytes[(position + 1)...].firstIndex(of: bytes[position]) else {
        throw .truncated(bytes.count)
      }
      if isWanted { element.attributes.append((text(key), text(position + 1..<last))) }
      position = last + 1
    }
    if isOpen { depth += 1 }
    position += 1
    return element
  }

  private static let nameBytes = 64

  /// Throws if the expanded entities are too large; nested entities are rejected earlier.
  func checkEntities() throws(Rejection) {
    if entities.isEmpty { return }
    var (rest, expanded) = (bytes[...], 0)
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      let name = rest[(start + 1)...].prefix(Self.nameBytes).prefix { !";&".utf8.contains($0) }
      rest = rest[name.endIndex...]
      // librsvg needs memory for each reference, even for references to empty entities.
      expanded += max(entities[text(name.indices)] ?? 0, 1)
      guard expanded <= limits.entityBytes else {
        throw Rejection(
          .tooManyBytes,
          "the SVG entities expand to more than \(limits.entityBytes.grouped) bytes")
      }
    }
  }

  /// Skips a DOCTYPE; throws if it contains markup or attributes, which the scan would miss.
  private mutating func skipDocumentType() throws(Rejection) {
    var (isInside, quote): (Bool, UInt8?) = (false, nil)
    var (entity, value): (String?, Int) = (nil, 0)
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let open = quote {
        if byte == open {
          quote = nil
          if let name = entity { entities[name] = max(entities[name] ?? 0, position - 1 - value) }
          entity = nil
        }
        guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), !isInside || byte != 0x25 else {
          throw .unsupported(variant: "the SVG document type contains markup")
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): (quote, value) = (byte, position)
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside: return
      case UInt8(ascii: "%"):
        throw .unsupported(variant: "the SVG document type contains markup")
      case UInt8(ascii: "<"):
        if has("!ATTLIST") {
          throw .unsupported(variant: "the SVG document type declares attributes")
        } else if skip("!--") {
          try skipPast("-->")
        } else if skip("?") {
          try skipPast("?>")
        } else if skip("!ENTITY") {
          skip(while: Self.isSpace)
          let name = position
          skip { !Self.isSpace($0) && !"\"'%<>".utf8.contains($0) }
          entity = text(name..<min(position, name + Self.nameBytes))
        }
      default: continue
      }
    }
    throw .truncated(bytes.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  private func has(_ letters: String) -> Bool {
    bytes[position...].starts(with: letters.utf8)
  }

  private mutating func skip(_ letters: String) -> Bool {
    guard has(letters) else { return false }
    position += letters.utf8.count
    return true
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private mutating func skipPast(_ letters: String) throws(Rejection) {
    let first = letters.utf8.first
    while position < bytes.count {
      if bytes[position] == first, skip(letters) { return }
      position += 1
    }
    throw .truncated(bytes.count)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

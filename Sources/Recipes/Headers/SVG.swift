package import Foundation

extension Inspection {
  /// The longer side of a drawing, which has no pixels of its own: large enough for every style.
  static let drawingSide = 4_096

  /// Walks the elements: how large the drawing is, and what it would take from elsewhere.
  init(svg bytes: borrowing FileBytes, limits: InspectionLimits) throws(Rejection) {
    var walk = SVGWalk()
    var ratio: Double?
    var pixels = 0
    while let element = try walk.next(in: bytes, limits: limits) {
      if ratio == nil {
        guard element.name == "svg" else { throw .unsupported("this is an XML document") }
        ratio = try Self.ratio(of: element)
        try walk.checkEntities(in: bytes, limits: limits)
      }
      if element.name == "image" || element.name == "feImage" {
        for (name, address) in element.attributes where name == "href" || name == "xlink:href" {
          pixels += try Self.pixels(embeddedAs: address, limits: limits)
        }
      }
    }
    guard let ratio else { throw .unsupported("this is an XML document") }
    guard pixels <= limits.pixels else {
      throw Rejection(.tooManyPixels, "its pictures have \(pixels.grouped) pixels together")
    }
    let side = Double(Self.drawingSide)
    let size = (width: side * min(ratio, 1), height: side * min(1 / ratio, 1))
    guard (1 / 64.0...64).contains(ratio) else {
      throw .unsupported(variant: "the SVG is more than 64 times as long as it is wide")
    }
    self.init(
      format: .svg,
      size: PixelSize(width: Int(size.width.rounded()), height: Int(size.height.rounded())))
  }

  /// Width by height.
  private static func ratio(of root: SVGWalk.Element) throws(Rejection) -> Double {
    func attribute(_ name: String) -> String? { root.attributes.last { $0.name == name }?.value }
    if let width = attribute("width").flatMap(pixels),
      let height = attribute("height").flatMap(pixels)
    {
      return width / height
    }
    let numbers = (attribute("viewBox") ?? "").split { $0.isWhitespace || $0 == "," }
    let box = numbers.map { Double($0) }
    guard box.count == 4, let width = box[2], let height = box[3], width > 0, height > 0,
      (width / height).isFinite
    else {
      throw .unsupported("the SVG states no size: give it a `viewBox`")
    }
    return width / height
  }

  /// Nil for what depends on something else.
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

  /// Pixels of a picture that lies in the drawing: a PNG or JPEG that passes its own walk.
  private static func pixels(
    embeddedAs address: String, limits: InspectionLimits
  ) throws(Rejection) -> Int {
    if address.hasPrefix("#") || address.isEmpty { return 0 }
    let scheme = "data:"
    guard address.prefix(scheme.count).lowercased() == scheme,
      let comma = address.firstIndex(of: ",")
    else {
      throw .unsupported(
        variant: "the SVG shows a picture that is not in it, "
          + "“\(address.unicodeScalars.prefix(60).map(String.init).joined())”")
    }
    // Line breaks, as Inkscape writes them.
    let letters = address[address.index(after: comma)...].replacing("&#10;", with: "")
    guard address[..<comma].lowercased().hasSuffix(";base64"),
      let file = Data(base64Encoded: String(letters), options: .ignoreUnknownCharacters)
    else { throw .unsupported(variant: "the SVG holds a picture that is not in base64") }
    let picture: Inspection
    do {
      picture = try Inspection(inspecting: file, limits: limits)
    } catch {
      throw Rejection(error.reason, "a picture in the SVG: \(error.detail)")
    }
    guard picture.format == .png || picture.format == .jpeg else {
      throw .unsupported(
        variant: "the SVG holds a picture in \(picture.format.rawValue.uppercased()), "
          + "and only PNG and JPEG are drawn in one")
    }
    return picture.size.width * picture.size.height
  }

  /// Whether a drawing has letters, which are not drawn.
  package static func hasText(inSVG bytes: Data) -> Bool {
    var walk = SVGWalk()
    let span = bytes.span
    while let element = try? walk.next(in: span, limits: .standard) {
      if element.name == "text" { return true }
    }
    return false
  }
}

/// Steps through the elements of an XML document.
///
/// It only finds what a drawing is made of; librsvg reads it again and is strict. Nothing here calls
/// itself, and each byte is looked at a few times at most.
struct SVGWalk {
  struct Element {
    /// Without a prefix.
    var name: String
    /// Only of the root and of pictures, as they are written.
    var attributes: [(name: String, value: String)] = []
  }

  private var position = 0
  private var count = 0
  private var depth = 0
  private var hasDocumentType = false
  /// The bytes of each entity of the document type, by the start of its name.
  private var entities: [String: Int] = [:]

  /// Nil at the end.
  mutating func next(
    in bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) -> Element? {
    while let start = Self.find("<", in: bytes, from: position) {
      if bytes.has("<!--".utf8, at: start) {
        position = try Self.end("-->", in: bytes, from: start + 4)
      } else if bytes.has("<![CDATA[".utf8, at: start) {
        position = try Self.end("]]>", in: bytes, from: start + 9)
      } else if bytes.has("<?".utf8, at: start) {
        position = try Self.end("?>", in: bytes, from: start + 2)
        try Self.checkEncoding(Self.text(bytes, start..<min(position, start + 256)))
      } else if bytes.has("<!".utf8, at: start) {
        // The entities are counted when the root begins. librsvg takes no other declaration either.
        guard bytes.has("<!DOCTYPE".utf8, at: start), !hasDocumentType, count == 0 else {
          throw .corrupt("the SVG has a declaration in the wrong place")
        }
        hasDocumentType = true
        position = try endOfDeclaration(in: bytes, from: start + 2)
      } else if bytes.has("</".utf8, at: start) {
        position = try Self.end(">", in: bytes, from: start + 2)
        depth -= 1
      } else {
        return try element(in: bytes, from: start + 1, limits: limits)
      }
    }
    guard depth <= 0 else { throw .truncated(bytes.count) }
    return nil
  }

  /// Other encodings would mean something else than what is read here.
  private static func checkEncoding(_ text: String) throws(Rejection) {
    guard text.hasPrefix("<?xml"), text.dropFirst(5).first?.isWhitespace == true else { return }
    // librsvg finds an encoding behind any number of spaces.
    guard text.hasSuffix("?>") else {
      throw .unsupported(variant: "the SVG's XML declaration is longer than 256 bytes")
    }
    guard let at = text.range(of: "encoding")?.upperBound else { return }
    let name = text[at...].drop { " \t\r\n='\"".contains($0) }.lowercased()
    guard ["utf-8", "us-ascii", "iso-8859-", "windows-125"].contains(where: name.hasPrefix) else {
      throw .unsupported(variant: "the SVG is not written in UTF-8")
    }
  }

  private mutating func element(
    in bytes: borrowing FileBytes, from start: Int, limits: InspectionLimits
  ) throws(Rejection) -> Element {
    count += 1
    guard count <= limits.elements else {
      throw Rejection(
        .tooManyChunks, "the SVG has more than \(limits.elements.grouped) elements")
    }
    var (at, isOpen) = (start, true)
    while let byte = Self.byte(in: bytes, at: at), !Self.isSpace(byte), byte != UInt8(ascii: ">"),
      byte != UInt8(ascii: "/")
    { at += 1 }
    let name = Self.text(bytes, start..<min(at, start + 64))
    var element = Element(name: String(name.split(separator: ":").last ?? ""))
    let isWanted = count == 1 || element.name == "image" || element.name == "feImage"
    while true {
      guard let byte = Self.byte(in: bytes, at: at) else { throw .truncated(bytes.count) }
      if byte == UInt8(ascii: ">") { break }
      isOpen = byte != UInt8(ascii: "/")
      at += 1
      guard isOpen, !Self.isSpace(byte) else { continue }
      let first = at - 1
      while let byte = Self.byte(in: bytes, at: at), !Self.isSpace(byte), byte != UInt8(ascii: "="),
        byte != UInt8(ascii: ">")
      { at += 1 }
      let key = first..<min(at, first + 64)
      while let byte = Self.byte(in: bytes, at: at), Self.isSpace(byte) || byte == UInt8(ascii: "=")
      {
        at += 1
      }
      guard let quote = Self.byte(in: bytes, at: at),
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { throw .corrupt("an attribute of <\(name)> has no value") }
      guard let last = Self.find(quote, in: bytes, from: at + 1) else {
        throw .truncated(bytes.count)
      }
      if isWanted {
        element.attributes.append((Self.text(bytes, key), Self.text(bytes, at + 1..<last)))
      }
      at = last + 1
    }
    if isOpen { depth += 1 }
    position = at + 1
    return element
  }

  /// Adds up what the references to entities put into the drawing.
  ///
  /// An entity without another one in it is all that a document type may have here.
  func checkEntities(
    in bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) {
    if entities.isEmpty { return }
    var (at, expanded) = (0, 0)
    while let start = Self.find("&", in: bytes, from: at) {
      at = start + 1
      while let byte = Self.byte(in: bytes, at: at), !";&".utf8.contains(byte),
        at - start <= Self.nameBytes
      { at += 1 }
      // librsvg needs memory for each reference, even if the entity is empty.
      expanded += max(entities[Self.text(bytes, start + 1..<at)] ?? 0, 1)
      guard expanded <= limits.entityBytes else {
        throw Rejection(
          .tooManyBytes,
          "the SVG's entities expand to more than \(limits.entityBytes.grouped) bytes")
      }
    }
  }

  /// How many bytes of an entity's name are compared.
  private static let nameBytes = 64

  /// Behind a document type, whose own part may only name addresses: what it put into the drawing
  /// would not be seen here.
  private mutating func endOfDeclaration(
    in bytes: borrowing FileBytes, from start: Int
  ) throws(Rejection) -> Int {
    var (at, isInside, quote): (Int, Bool, UInt8?) = (start, false, nil)
    var (entity, value): (String?, Int) = (nil, 0)
    while let byte = Self.byte(in: bytes, at: at) {
      at += 1
      if let open = quote {
        if byte == open {
          quote = nil
          if let name = entity { entities[name] = max(entities[name] ?? 0, at - 1 - value) }
          entity = nil
        }
        guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), !isInside || byte != 0x25 else {
          throw .unsupported(variant: "the SVG's document type puts markup into it")
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): (quote, value) = (byte, at)
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside: return at
      case UInt8(ascii: "<") where bytes.has("<!ATTLIST".utf8, at: at - 1):
        throw .unsupported(variant: "the SVG's document type gives its elements attributes")
      case UInt8(ascii: "<") where bytes.has("<!--".utf8, at: at - 1):
        at = try Self.end("-->", in: bytes, from: at + 3)
      case UInt8(ascii: "<") where bytes.has("<?".utf8, at: at - 1):
        at = try Self.end("?>", in: bytes, from: at + 1)
      case UInt8(ascii: "<") where bytes.has("<!ENTITY".utf8, at: at - 1):
        at += 7
        while let byte = Self.byte(in: bytes, at: at), Self.isSpace(byte) { at += 1 }
        let name = at
        while let byte = Self.byte(in: bytes, at: at), !Self.isSpace(byte),
          !"\"'%<>".utf8.contains(byte)
        { at += 1 }
        entity = Self.text(bytes, name..<min(at, name + Self.nameBytes))
      case UInt8(ascii: "%"):
        throw .unsupported(variant: "the SVG's document type puts markup into it")
      default: continue
      }
    }
    throw .truncated(bytes.count)
  }

  private static func byte(in bytes: borrowing FileBytes, at position: Int) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  private static func find(
    _ byte: UInt8, in bytes: borrowing FileBytes, from start: Int
  ) -> Int? {
    var at = start
    while at < bytes.count {
      if bytes[at] == byte { return at }
      at += 1
    }
    return nil
  }

  private static func find(
    _ sign: Unicode.Scalar, in bytes: borrowing FileBytes, from start: Int
  ) -> Int? { find(UInt8(ascii: sign), in: bytes, from: start) }

  /// The position behind these letters.
  private static func end(
    _ letters: StaticString, in bytes: borrowing FileBytes, from start: Int
  ) throws(Rejection) -> Int {
    let pattern = Array(letters.description.utf8)
    var at = start
    while at < bytes.count {
      if bytes[at] == pattern[0], bytes.has(pattern, at: at) { return at + pattern.count }
      at += 1
    }
    throw .truncated(bytes.count)
  }

  private static func text(_ bytes: borrowing FileBytes, _ range: Range<Int>) -> String {
    var part: [UInt8] = []
    part.reserveCapacity(range.count)
    for at in range { part.append(bytes[at]) }
    return String(decoding: part, as: UTF8.self)
  }
}

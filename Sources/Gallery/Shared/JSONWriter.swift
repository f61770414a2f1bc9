import Bytes
import Manifest
import Plan
import Recipes

typealias Emit = ([UInt8]) throws -> Void

/// A writer for JSON that adds commas and escapes; callers choose the keys and their order.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false
  /// Whether the JSON is in a script, where strings must not contain `<` or line separators.
  private let isScript: Bool

  private init(isScript: Bool) { self.isScript = isScript }

  /// Writes a file with a single object; if the object is large, `body` should call `flush`.
  static func writeFile(to emit: Emit, _ body: (_ json: inout JSONWriter) throws -> Void) rethrows {
    var json = JSONWriter(isScript: false)
    try json.object(body)
    json.bytes.append(UInt8(ascii: "\n"))
    try emit(json.bytes)
  }

  static func call(
    _ function: String, with arguments: (_ json: inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter(isScript: true)
    json.append("\(function)(")
    arguments(&json)
    json.append(");\n")
    return json.bytes
  }

  mutating func flush(to emit: Emit) rethrows {
    guard bytes.count > 1 << 16 else { return }
    try emit(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try enclose("{", "}", body)
  }

  mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try enclose("[", "]", body)
  }

  mutating func value(_ value: some JSONScalar) {
    separate()
    value.append(to: &self)
    needsComma = true
  }

  mutating func object(
    _ key: String, indent: Int? = nil, _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    self.key(key, indent: indent)
    try object(body)
  }

  mutating func array(
    _ key: String, indent: Int? = nil, _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    self.key(key, indent: indent)
    try array(body)
  }

  mutating func pair(_ key: String, _ value: (some JSONScalar)?, indent: Int? = nil) {
    guard let value else { return }
    self.key(key, indent: indent)
    self.value(value)
  }

  mutating func pair(_ key: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    array(key) { json in
      for text in texts { json.value(text) }
    }
  }

  mutating func line(indent: Int) {
    separate()
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
  }

  private mutating func key(_ name: String, indent: Int?) {
    if let indent { line(indent: indent) }
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func enclose(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    separate()
    bytes.append(UInt8(ascii: open))
    try body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  fileprivate mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  fileprivate mutating func append(quoting text: String) {
    if hasSpecial(text.utf8Span.span) { return escape(text) }
    bytes.append(UInt8(ascii: "\""))
    append(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Searching a span is ten times as fast as searching `utf8`.
  private func hasSpecial(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where isSpecial(text[index]) { return true }
    return false
  }

  private func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
    case UInt8(ascii: "<"), 0xE2: isScript
    default: false
    }
  }

  private mutating func escape(_ text: String) {
    append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": append("\\\(scalar)")
      case "\u{8}": append("\\b")
      case "\t": append("\\t")
      case "\n": append("\\n")
      case "\u{C}": append("\\f")
      case "\r": append("\\r")
      case "\0"..<" ": append("\\u00" + Hex.text(of: [UInt8(scalar.value)]))
      case "<" where isScript: append("\\u003C")
      case "\u{2028}" where isScript: append("\\u2028")
      case "\u{2029}" where isScript: append("\\u2029")
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
    append("\"")
  }
}

/// A JSON value that is not an object or array; numbers must be finite.
protocol JSONScalar {
  func append(to json: inout JSONWriter)
}

extension String: JSONScalar {
  func append(to json: inout JSONWriter) { json.append(quoting: self) }
}

extension Double: JSONScalar {
  func append(to json: inout JSONWriter) { json.append(plain) }
}

extension JSONScalar where Self: FixedWidthInteger {
  func append(to json: inout JSONWriter) { json.append(String(self)) }
}

extension Int: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}

extension JSONWriter {
  /// Writes an image, with the same keys in all data files.
  ///
  /// `inset` is the space around the box in points; `insets` are the pixels on each side that must
  /// not be stretched. `sheet` is the number of the sprite sheet within its style.
  mutating func image(
    _ asset: Asset, scale: Double, sheet: Int? = nil, inset: Margins = .none, insets: Margins? = nil
  ) {
    object { json in
      json.pair("bytes", asset.bytes)
      json.pair("format", asset.format.rawValue)
      json.pair("height", asset.height)
      if inset != .none { json.sides("inset", inset) }
      if let insets { json.sides("insets", insets) }
      json.pair("path", asset.path)
      json.pair("quality", asset.metadata.quality)
      json.pair("scale", scale)
      json.pair("sha256", asset.digest.hex)
      json.pair("sheet", sheet)
      json.pair("width", asset.width)
    }
  }

  private mutating func sides(_ key: String, _ margins: Margins) {
    object(key) { json in
      json.pair("bottom", margins.bottom)
      json.pair("left", margins.left)
      json.pair("right", margins.right)
      json.pair("top", margins.top)
    }
  }

  mutating func pairs(of placeholder: Placeholder) {
    pair("color", placeholder.colorText)
    pair("thumbhash", placeholder.thumbHashText)
  }
}

extension String {
  /// Returns whether the string comes before another in byte order, the order of keys in all files.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

import Diagnostics
import Documents
import Recipes
import Store

/// An image as an `assets.json` tells of it, after everything about it was doubted.
struct ComparedImage: Hashable, Sendable {
  var scale: Double
  var format: OutputFormat
  var width: Int
  var height: Int
  var bytes: Int
  var digest: Digest

  /// Made of what was checked, never what was read.
  var path: String {
    let name = digest.hex
    return "assets/\(name.prefix(2))/\(name).\(format.fileExtension)"
  }

  private static let sideLimit = 1 << 16
  /// No style has others, and a side through the least is still a number that a page can have.
  private static let scales = 1.0 / 64...64
  static let byteLimit = 64 << 20

  /// Nil unless all of it makes sense, and the path is the one that such an image has.
  init?(_ node: Node) {
    guard let scale = node["scale"]?.double, Self.scales.contains(scale),
      let format = node["format"]?.text.flatMap(OutputFormat.init(rawValue:)),
      let width = node["width"]?.integer, (1...Self.sideLimit).contains(width),
      let height = node["height"]?.integer, (1...Self.sideLimit).contains(height),
      let bytes = node["bytes"]?.integer, (0...Self.byteLimit).contains(bytes),
      let digest = node["sha256"]?.text.flatMap({ Digest(hex: $0) })
    else { return nil }
    self.scale = scale
    self.format = format
    self.width = width
    self.height = height
    self.bytes = bytes
    self.digest = digest
    guard node["path"]?.text == path else { return nil }
  }

  /// Of a list; nil unless every one of them makes sense.
  static func list(_ node: Node) -> [ComparedImage]? {
    guard case .sequence(let items) = node.content else { return nil }
    let images = items.compactMap { ComparedImage($0) }
    return images.count == items.count ? images : nil
  }

  /// In which two images stand for the same thing.
  struct Variant: Hashable, Comparable {
    var scale: Double
    var format: String

    static func < (left: Variant, right: Variant) -> Bool {
      (left.scale, left.format) < (right.scale, right.format)
    }
  }

  var variant: Variant { Variant(scale: scale, format: format.rawValue) }
}

extension Node {
  /// The first value of a key in a mapping.
  subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }

  var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  var text: String? {
    if case .scalar(let scalar) = content, scalar.style == .quoted { scalar.text } else { nil }
  }

  var double: Double? {
    if case .scalar(let scalar) = content, scalar.style == .number {
      Double(scalar.text)
    } else {
      nil
    }
  }

  var integer: Int? {
    if case .scalar(let scalar) = content, scalar.style == .number { Int(scalar.text) } else { nil }
  }
}

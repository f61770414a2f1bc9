import Build
import Bytes
import Diagnostics
import Documents
import Plan
import Recipes

/// A user as an `assets.json` describes it.
struct ComparedUser: Sendable {
  var id: String
  var name: String
  var status: String
  var reason: String?
  /// The kind of the source: `file`, `initials`.
  var source: String?
  /// Of the source.
  var digest: Digest?
  /// By style, in the order of the file.
  var avatars: [(style: String, images: [ComparedImage])]

  /// - Throws: `BuildFailure.usage` when it is no user.
  init(_ user: AssetsReader.User, in path: String) throws {
    id = String(decoding: user.id, as: UTF8.self)
    let wrong = BuildFailure.usage(.foreignSite(path, "user \(id.quoted) makes no sense"))
    let root = try Node(reading: user.value, in: path)
    guard let name = root["name"]?.text, let status = root["status"]?.text,
      let styles = root["avatars"]?.entries
    else { throw wrong }
    self.name = name
    self.status = status
    reason = root["reason"]?.text
    source = root["source"]?.text
    digest = root["sourceSHA256"]?.text.flatMap { Digest(hex: $0) }
    avatars = try styles.map { style in
      guard let images = ComparedImage.list(style.value) else { throw wrong }
      return (style.key, images)
    }
  }

  /// Empty when the user does not have the style.
  func images(_ style: String) -> [ComparedImage] {
    avatars.first { $0.style == style }?.images ?? []
  }
}

/// A state of a button as an `assets.json` describes it.
struct ComparedState: Hashable, Sendable {
  var color: Color
  var images: [ComparedImage]

  /// The states of all buttons, by `name, appearance, state`.
  ///
  /// - Throws: `BuildFailure.usage` when they are no buttons.
  static func all(_ bytes: [UInt8]?, in path: String) throws -> [String: ComparedState] {
    guard let bytes else { return [:] }
    let wrong = BuildFailure.usage(.foreignSite(path, "the buttons make no sense"))
    var all: [String: ComparedState] = [:]
    guard let buttons = try Node(reading: bytes, in: path).entries else { throw wrong }
    for button in buttons {
      guard let appearances = button.value.entries else { throw wrong }
      for appearance in appearances {
        guard let states = appearance.value.entries else { throw wrong }
        for state in states {
          guard let text = state.value["color"]?.text, let color = Color(parsing: text),
            color.hex == text,
            let images = state.value["images"].flatMap(ComparedImage.list)
          else { throw wrong }
          all["\(button.key), \(appearance.key), \(state.key)"] = ComparedState(
            color: color, images: images)
        }
      }
    }
    return all
  }
}

/// An image as an `assets.json` describes it, with every value checked.
struct ComparedImage: Hashable, Sendable {
  var asset: Asset
  var scale: Double
  var format: OutputFormat

  /// Made of checked values, never the path that was read.
  var path: String { asset.path }

  private static let sides = 1...1 << 16
  private static let sizes = 0...64 << 20
  /// No style has others, and a side divided by the smallest is still a number for a page.
  private static let scales = 1.0 / 64...64

  /// Nil unless every value makes sense and the path is that of such an image.
  private init?(_ node: Node) {
    guard let scale = node["scale"]?.double, Self.scales.contains(scale),
      let format = node["format"]?.text.flatMap(OutputFormat.init(rawValue:)),
      let width = node["width"]?.integer, Self.sides.contains(width),
      let height = node["height"]?.integer, Self.sides.contains(height),
      let bytes = node["bytes"]?.integer, Self.sizes.contains(bytes),
      let digest = node["sha256"]?.text.flatMap({ Digest(hex: $0) })
    else { return nil }
    asset = Asset(
      digest: digest, format: format, width: Int32(width), height: Int32(height),
      bytes: Int64(bytes))
    self.scale = scale
    self.format = format
    guard node["path"]?.text == path else { return nil }
  }

  /// Nil unless every image makes sense.
  static func list(_ node: Node) -> [ComparedImage]? {
    guard case .sequence(let items) = node.content else { return nil }
    let images = items.compactMap { ComparedImage($0) }
    return images.count == items.count ? images : nil
  }

  /// By name.
  ///
  /// - Throws: `BuildFailure.usage` when they are no strips.
  static func strips(_ bytes: [UInt8]?, in path: String) throws -> [String: [ComparedImage]] {
    guard let bytes else { return [:] }
    guard let entries = try Node(reading: bytes, in: path).entries else {
      throw BuildFailure.usage(.foreignSite(path, "the strips make no sense"))
    }
    var strips: [String: [ComparedImage]] = [:]
    for entry in entries {
      guard let images = list(entry.value) else {
        throw BuildFailure.usage(.foreignSite(path, "strip \(entry.key.quoted) makes no sense"))
      }
      strips[entry.key] = images
    }
    return strips
  }

  /// An image of the same variant on the other side is its counterpart.
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
  /// A value of the file as a tree.
  fileprivate init(reading bytes: [UInt8], in path: String) throws {
    do throws(Diagnostic) {
      self = try Document(reading: bytes, syntax: .json, file: path).root
    } catch {
      // The position is one in a part of the file, so it is left out.
      throw BuildFailure.usage(.foreignSite(path, error.message))
    }
  }

  /// The first value of a key in a mapping.
  fileprivate subscript(key: String) -> Node? { entries?.first { $0.key == key }?.value }

  fileprivate var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  private func scalar(_ style: Scalar.Style) -> String? {
    if case .scalar(let scalar) = content, scalar.style == style { scalar.text } else { nil }
  }

  fileprivate var text: String? { scalar(.quoted) }
  fileprivate var double: Double? { scalar(.number).flatMap { Double($0) } }
  fileprivate var integer: Int? { scalar(.number).flatMap { Int($0) } }
}

import Build
import Bytes
import Diagnostics
import Documents
import Plan
import Recipes
import Store

/// A user as an `assets.json` describes it.
struct ComparedUser: Sendable {
  var id: String
  var name: String
  var status: String
  var reason: String?
  /// The kind of what won: `file`, `initials`.
  var source: String?
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
    avatars = try styles.map { style in
      guard let images = ComparedImage.list(style.value) else { throw wrong }
      return (style.key, images)
    }
  }

  /// Of one style; empty when the user does not have it.
  func images(_ style: String) -> [ComparedImage] {
    avatars.first { $0.style == style }?.images ?? []
  }
}

/// A state of a button as an `assets.json` describes it.
struct ComparedState: Hashable, Sendable {
  var color: Color
  var images: [ComparedImage]

  /// All of the buttons, by `name, appearance, state`.
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
          guard let color = state.value["color"]?.text.flatMap({ Color(hex: $0) }),
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

/// An image as an `assets.json` describes it; all of it was checked.
struct ComparedImage: Hashable, Sendable {
  var asset: Asset
  var scale: Double
  var format: OutputFormat

  /// Made of what was checked, never what was read.
  var path: String { asset.path(as: format.fileExtension) }

  private static let sides = 1...1 << 16
  private static let sizes = 0...64 << 20
  /// No style has others, and a side through the least is still a number that a page can have.
  private static let scales = 1.0 / 64...64

  /// Nil unless all of it makes sense, and the path is the one that such an image has.
  private init?(_ node: Node) {
    guard let scale = node["scale"]?.double, Self.scales.contains(scale),
      let format = node["format"]?.text.flatMap(OutputFormat.init(rawValue:)),
      let width = node["width"]?.integer, Self.sides.contains(width),
      let height = node["height"]?.integer, Self.sides.contains(height),
      let bytes = node["bytes"]?.integer, Self.sizes.contains(bytes),
      let digest = node["sha256"]?.text.flatMap({ Digest(hex: $0) })
    else { return nil }
    asset = Asset(
      digest: digest, width: Int32(width), height: Int32(height), bytes: Int64(bytes))
    self.scale = scale
    self.format = format
    guard node["path"]?.text == path else { return nil }
  }

  /// Nil unless every one of them makes sense.
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

  /// Two images of the same variant stand for the same thing.
  struct Variant: Hashable, Comparable {
    var scale: Double
    var format: String

    static func < (left: Variant, right: Variant) -> Bool {
      (left.scale, left.format) < (right.scale, right.format)
    }
  }

  var variant: Variant { Variant(scale: scale, format: format.rawValue) }
}

extension Color {
  /// Only as `assets.json` writes it: `#3e63ddff`.
  fileprivate init?(hex text: String) {
    guard text.hasPrefix("#"), let channels = Hex.bytes(text.dropFirst()), channels.count == 4
    else { return nil }
    self.init(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
  }
}

extension Node {
  /// A value of the file as a tree.
  fileprivate init(reading bytes: [UInt8], in path: String) throws {
    do throws(Diagnostic) {
      self = try Document(reading: bytes, syntax: .json, file: path).root
    } catch {
      // Its position would be that in a part of the file, so it is left out.
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

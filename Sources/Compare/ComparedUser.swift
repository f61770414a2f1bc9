import Build
import Diagnostics
import Documents

/// A user as an `assets.json` tells of it.
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
  init(_ bytes: [UInt8], id: [UInt8], in path: String) throws {
    self.id = String(decoding: id, as: UTF8.self)
    let wrong = BuildFailure.usage(.foreignSite(path, "user \(self.id.quoted) makes no sense"))
    let root = try Self.node(bytes, path)
    guard let name = root["name"]?.text, let status = root["status"]?.text,
      let styles = root["avatars"]?.entries
    else { throw wrong }
    self.name = name
    self.status = status
    reason = root["reason"]?.text
    source = root["source"]?.text
    avatars = []
    for style in styles {
      guard let images = ComparedImage.list(style.value) else { throw wrong }
      avatars.append((style.key, images))
    }
  }

  /// A value of the file as a tree; its places would be those in a part of it, so they are left out.
  static func node(_ bytes: [UInt8], _ path: String) throws -> Node {
    do throws(Diagnostic) {
      return try Document(reading: bytes, syntax: .json, file: path).root
    } catch {
      throw BuildFailure.usage(.foreignSite(path, error.message))
    }
  }

  /// Of one style; empty when the user does not have it.
  func images(_ style: String) -> [ComparedImage] {
    avatars.first { $0.style == style }?.images ?? []
  }
}

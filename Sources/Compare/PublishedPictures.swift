package import Build
package import Bytes
import Diagnostics
import Files
import Plan
import Recipes

/// What the `assets.json` of a site says of pictures, for `explain`.
package struct PublishedPictures: Sendable {
  /// Whose picture a file is.
  package struct Owner: Encodable, Sendable {
    /// `user`, `button` or `strip`.
    package var kind: String
    /// An id; of a button its name, its appearance, its state.
    package var name: String
    /// Of a user.
    package var style: String?
    package var scale: Double
    package var format: String
  }

  private let output: Folder?

  /// A folder without a site has none.
  package init(in output: String) {
    self.output = try? Folder(opening: output)
  }

  /// Nil for somebody who is not on the site.
  package func of(_ id: String) throws(BuildFailure) -> Explain.Published? {
    var published: Explain.Published?
    try visit { user, path in
      guard String(decoding: user.id, as: UTF8.self) == id else { return }
      let user = try ComparedUser(user, in: path)
      var found = Explain.Published()
      found.source = user.digest
      for (style, images) in user.avatars {
        for image in images {
          let name = Explain.Published.name(style, image.scale, image.format)
          found.images[name] = image.asset.digest
        }
      }
      published = found
    }
    return published
  }

  /// Whose pictures have these bytes.
  package func owners(of digest: Digest) throws(BuildFailure) -> [Owner] {
    var owners: [Owner] = []
    func add(_ images: [ComparedImage], _ kind: String, _ name: String, _ style: String? = nil) {
      for image in images where image.asset.digest == digest {
        owners.append(
          Owner(
            kind: kind, name: name, style: style, scale: image.scale,
            format: image.format.rawValue))
      }
    }
    let parts = try visit { user, path in
      // Few users have it, and the others need not be understood.
      guard String(decoding: user.value, as: UTF8.self).contains(digest.hex) else { return }
      let user = try ComparedUser(user, in: path)
      for (style, images) in user.avatars { add(images, "user", user.id, style) }
    }
    do {
      for (name, state) in try ComparedState.all(parts["buttons"], in: "assets.json") {
        add(state.images, "button", name)
      }
      for (name, images) in try ComparedImage.strips(parts["strips"], in: "assets.json") {
        add(images, "strip", name)
      }
    } catch {
      throw BuildFailure(error, Cancellation())
    }
    return owners
  }

  /// - Returns: What the file says beside the users.
  @discardableResult
  private func visit(
    _ body: (AssetsReader.User, String) throws -> Void
  ) throws(BuildFailure) -> [String: [UInt8]] {
    guard let output, (try? output.kind(of: "assets.json")) == .file else { return [:] }
    do {
      var reader = try AssetsReader(output)
      try reader.readHead()
      while let user = try reader.nextUser() { try body(user, reader.path) }
      try reader.readTail()
      return reader.parts
    } catch {
      throw BuildFailure(error, Cancellation())
    }
  }
}

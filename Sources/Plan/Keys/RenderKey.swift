package import Bytes
import Foundation
package import Recipes

/// SHA-256(source digest × normalised recipe × renderer fingerprint): the name of a render.
///
/// Nothing is ever invalidated: another recipe, another codec or another picture is another key.
/// The recipe and the fingerprint are folded into one digest per image, so that the key of each
/// of a million images costs one hash of 80 bytes. The focus stands apart from it, because the recipes
/// of users who each pin a point differ in nothing else.
package struct RenderKey: Sendable {
  private let base: [UInt8]
  private let suffix: [UInt8]

  package init(recipe: Recipe, fingerprint: String) throws {
    var recipe = recipe
    let focus = recipe.frame.focus
    recipe.frame.focus = .center
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var bytes = [UInt8](try encoder.encode(recipe))
    bytes.append(0)
    bytes.append(contentsOf: fingerprint.utf8)
    self.init(base: Digest(of: bytes).bytes, focus: focus)
  }

  private init(base: [UInt8], focus: Focus) {
    self.base = base
    var writer = ByteWriter()
    writer.write(raw: base)
    // Both zeroes are one; the bytes stand with the highest first.
    for fraction in [focus.x, focus.y] { writer.write((fraction + 0).bitPattern.byteSwapped) }
    suffix = writer.bytes
  }

  /// The key of the same recipe with another focus.
  package func moved(to focus: Focus) -> RenderKey { RenderKey(base: base, focus: focus) }

  package func key(of source: Digest) -> Digest {
    Digest(of: source.bytes + suffix)
  }
}

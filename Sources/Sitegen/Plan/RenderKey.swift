import Foundation
package import Imaging
package import Store

/// SHA-256(source digest × normalised recipe × renderer fingerprint): the name of a render.
///
/// Nothing is ever invalidated: another recipe, another codec or another picture is another key.
/// The recipe and the fingerprint are folded into one digest per variant, so that the key of each
/// of a million images costs one hash of 64 bytes.
package struct RenderKey: Sendable {
  private let suffix: [UInt8]

  package init(recipe: Recipe, fingerprint: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var bytes = [UInt8](try encoder.encode(recipe))
    bytes.append(0)
    bytes.append(contentsOf: fingerprint.utf8)
    suffix = Digest(of: bytes).bytes
  }

  package func key(of source: Digest) -> Digest {
    Digest(of: source.bytes + suffix)
  }
}

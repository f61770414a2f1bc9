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

/// The keys of all images of all plans, without a source: each is made when it is first needed.
///
/// Encoding a recipe costs far more than hashing it with a source.
package struct RecipeKeys: Sendable {
  private let variants: StyleVariants
  private let fingerprint: String
  /// By plan, then by pixels, at last for pictures that users pin.
  private var keys: [[RenderKey]?]
  private static let kinds = Source.Pixels.allCases.count + 1

  package init(_ variants: StyleVariants, fingerprint: String) {
    self.variants = variants
    self.fingerprint = fingerprint
    keys = Array(repeating: nil, count: variants.plans.count * Self.kinds)
  }

  /// How many recipes were encoded.
  package var count: Int { keys.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// Must come before the keys are asked for.
  package mutating func add(_ variant: Int, for source: Source) throws {
    let (index, _) = index(of: variant, source)
    guard keys[index] == nil else { return }
    keys[index] = try variants.images(of: variant, for: source).map {
      try RenderKey(recipe: $0.recipe, fingerprint: fingerprint)
    }
  }

  /// In the order of the variant's images.
  package func keys(of variant: Int, for source: Source) -> [Digest] {
    let (index, focus) = index(of: variant, source)
    guard let keys = keys[index] else {
      preconditionFailure("the keys of a variant are made before they are asked for")
    }
    guard let focus else { return keys.map { $0.key(of: source.digest) } }
    return keys.map { $0.moved(to: focus).key(of: source.digest) }
  }

  private func index(of variant: Int, _ source: Source) -> (index: Int, focus: Focus?) {
    let pixels = source.pixels
    let focus = pixels == .decoded ? variants[variant].focus : nil
    let kind = focus == nil ? pixels.rawValue : Self.kinds - 1
    return (variants[variant].plan * Self.kinds + kind, focus)
  }
}

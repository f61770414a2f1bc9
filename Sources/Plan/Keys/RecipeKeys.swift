package import Bytes
import Recipes

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
    let pixels = source.origin.pixels
    let focus = pixels == .decoded ? variants[variant].focus : nil
    let kind = focus == nil ? pixels.rawValue : Self.kinds - 1
    return (variants[variant].plan * Self.kinds + kind, focus)
  }
}

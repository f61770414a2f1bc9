import Recipes
package import Store

/// The keys of all variants of all plans, without a source: each is made when it is first needed.
///
/// Encoding a recipe costs far more than hashing it with a source.
package struct RecipeKeys: Sendable {
  private let looks: StyleVariants
  private let fingerprint: String
  /// By plan, then by pixels, at last for pictures that users pin.
  private var keys: [[RenderKey]?]
  private static let kinds = Source.Pixels.allCases.count + 1

  package init(_ looks: StyleVariants, fingerprint: String) {
    self.looks = looks
    self.fingerprint = fingerprint
    keys = Array(repeating: nil, count: looks.plans.count * Self.kinds)
  }

  /// How many recipes were encoded.
  package var count: Int { keys.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// Must come before the keys are asked for.
  package mutating func add(_ look: Int, for source: Source) throws {
    let (place, _) = place(look, source)
    guard keys[place] == nil else { return }
    keys[place] = try looks.variants(of: look, for: source).map {
      try RenderKey(recipe: $0.recipe, fingerprint: fingerprint)
    }
  }

  /// In the order of the look's variants.
  package func keys(of look: Int, for source: Source) -> [Digest] {
    let (place, focus) = place(look, source)
    guard let keys = keys[place] else {
      preconditionFailure("the keys of every look are made before it is looked up")
    }
    guard let focus else { return keys.map { $0.key(of: source.digest) } }
    return keys.map { $0.moved(to: focus).key(of: source.digest) }
  }

  private func place(_ number: Int, _ source: Source) -> (place: Int, focus: Focus?) {
    let look = looks[number]
    let pixels = source.origin.pixels
    let focus = pixels == .decoded ? look.focus : nil
    let kind = focus == nil ? pixels.rawValue : Self.kinds - 1
    return (look.plan * Self.kinds + kind, focus)
  }
}

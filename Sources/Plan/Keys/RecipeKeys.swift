import Recipes
package import Store

/// The keys of all variants of all plans, without a source: each is made when it is first needed.
///
/// Encoding a recipe costs far more than hashing it with a source.
package struct RecipeKeys: Sendable {
  /// What a plan does with a source.
  private enum Kind: Int, CaseIterable {
    case picture
    case pinned
    case color
    case drawn

    init(_ source: Source, isPinned: Bool) {
      self =
        switch source.origin {
        case .file, .fetched, .inline: isPinned ? .pinned : .picture
        case .color: .color
        case .generated, .sheet, .collage: .drawn
        }
    }
  }

  private let looks: StyleVariants
  private let fingerprint: String
  /// By plan and kind.
  private var keys: [[RenderKey]?]

  package init(_ looks: StyleVariants, fingerprint: String) {
    self.looks = looks
    self.fingerprint = fingerprint
    keys = Array(repeating: nil, count: looks.plans.count * Kind.allCases.count)
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
    let kind = Kind(source, isPinned: look.focus != nil)
    let place = look.plan * Kind.allCases.count + kind.rawValue
    return (place, kind == .pinned ? look.focus : nil)
  }
}

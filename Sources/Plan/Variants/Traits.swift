import Manifest
package import Recipes

/// What decorations ask of a source: see `AvatarStyle.Decoration.Condition`.
package struct Traits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let animated = Traits(rawValue: 1)
  package static let tall = Traits(rawValue: 2)
  package static let wide = Traits(rawValue: 4)

  /// Every mix that a source can have.
  static let all: [Traits] = [
    [], .animated, .tall, [.animated, .tall], .wide, [.animated, .wide],
  ]

  /// Colours and what is drawn have none.
  package init(of inspection: Inspection?) {
    self = []
    guard let inspection else { return }
    if inspection.isAnimated { insert(.animated) }
    let size = inspection.uprightSize
    if size.height > 3 * size.width { insert(.tall) }
    if size.width > 3 * size.height { insert(.wide) }
  }

  func has(_ condition: AvatarStyle.Decoration.Condition) -> Bool {
    switch condition {
    case .animated: contains(.animated)
    case .tall: contains(.tall)
    case .wide: contains(.wide)
    }
  }
}

package import Manifest
package import Recipes

/// The stretchable picture of one state of a button at one scale.
package struct ButtonBitmap: Hashable, Sendable {
  package let appearance: ButtonStyle.Appearance
  package let state: ButtonStyle.State
  package let slice: NineSlice
  package let siteImage: SiteImage

  fileprivate init(_ button: ButtonStyle, _ face: ButtonStyle.Face, scale: Double) {
    appearance = face.appearance
    state = face.state
    slice = NineSlice(button, scale: scale)
    siteImage = SiteImage(Source(color: face.color), slice.recipe, declared: button.declared)
  }
}

extension ButtonStyle {
  /// Pixels per point of bitmaps for pages and for Apple's devices.
  package static let scales = [1.0, 2, 3]

  /// One state in one appearance.
  fileprivate typealias Face = (appearance: Appearance, state: State, color: Color)

  /// Every state in every appearance.
  private var faces: [Face] {
    appearances.flatMap { appearance, colors in
      colors.states.map { (appearance, $0.state, $0.color) }
    }
  }

  /// Of every face, by scale; a plain colour is one pixel at any scale.
  package func bitmaps(at scales: [Double] = scales) -> [ButtonBitmap] {
    faces.flatMap { bitmaps(of: $0, at: scales) }
  }

  /// Of one state, by scale.
  package func bitmaps(
    of state: State, in appearance: Appearance, at scales: [Double] = scales
  ) -> [ButtonBitmap] {
    faces.filter { $0.state == state && $0.appearance == appearance }
      .flatMap { bitmaps(of: $0, at: scales) }
  }

  private func bitmaps(of face: Face, at scales: [Double]) -> [ButtonBitmap] {
    (isPlain ? Array(scales.prefix(1)) : scales).map { ButtonBitmap(self, face, scale: $0) }
  }

  /// Of every state, appearance and density; none of a plain button, which is a colour in Android.
  package var ninePatches: [NinePatch] {
    guard !isPlain else { return [] }
    return faces.flatMap { face in
      NinePatch.Density.allCases.map { NinePatch(self, face, density: $0) }
    }
  }
}

/// The smallest stretchable picture of a button: four corners, and one pixel between them.
package struct NineSlice: Hashable, Sendable {
  package let scale: Double
  /// Pixels at each side that must not be stretched; 0 for a plain colour.
  package let cap: Int
  package let recipe: Recipe

  package init(_ button: ButtonStyle, scale: Double) {
    self.scale = scale
    cap = Int((button.cap * scale).rounded(.up))
    recipe = Self.recipe(
      of: button, size: PixelSize(width: 2 * cap + 1, height: 2 * cap + 1), scale: scale)
  }

  /// The button drawn at some size, instead of being stretched to it.
  package static func recipe(of button: ButtonStyle, size: PixelSize, scale: Double) -> Recipe {
    let radius = min(button.radius * scale, Double(size.shorterSide) / 2)
    return Recipe(
      frame: Frame(base: size, box: size, fit: .stretch),
      outline: Outline(
        topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius),
      effects: Border(button.visibleBorder, box: size, scale: scale).map { [.border($0)] } ?? [],
      encoding: Encoding(format: .png))
  }
}

extension Border {
  /// Drawn over the colour, along the outline.
  fileprivate init?(_ edge: ButtonStyle.Edge?, box: PixelSize, scale: Double) {
    guard let edge else { return nil }
    let width = min(edge.width * scale, Double(box.shorterSide) / 2)
    self.init(rings: [Ring(from: 0, to: width, fill: .solid(edge.color), isOver: true)])
  }
}

/// The nine-patch of one state of a button at one density: its `NineSlice` within guides.
package struct NinePatch: Sendable {
  /// A class of Android's screens, by the word that folders are called after.
  package enum Density: String, CaseIterable, Sendable {
    case mdpi
    case hdpi
    case xhdpi
    case xxhdpi
    case xxxhdpi

    /// Pixels per point.
    package var scale: Double {
      switch self {
      case .mdpi: 1
      case .hdpi: 1.5
      case .xhdpi: 2
      case .xxhdpi: 3
      case .xxxhdpi: 4
      }
    }
  }

  package let appearance: ButtonStyle.Appearance
  package let state: ButtonStyle.State
  package let density: Density
  package let siteImage: SiteImage

  fileprivate init(_ button: ButtonStyle, _ face: ButtonStyle.Face, density: Density) {
    appearance = face.appearance
    state = face.state
    self.density = density
    siteImage = SiteImage(
      Source(color: face.color), Self.recipe(of: button, scale: density.scale),
      declared: button.declared)
  }

  /// Around the box, for the guides: the format wants exactly one pixel.
  private static let frame = Margins(top: 1, right: 1, bottom: 1, left: 1)

  private static func recipe(of button: ButtonStyle, scale: Double) -> Recipe {
    let slice = NineSlice(button, scale: scale)
    let side = slice.recipe.frame.box.width
    let middle = slice.cap..<side - slice.cap
    let border = Int(((button.visibleBorder?.width ?? 0) * scale).rounded(.up))
    let content = border..<side - border
    var recipe = slice.recipe
    recipe.margins = frame
    recipe.effects.append(.guides(NinePatchGuides(stretched: middle, content: content)))
    return recipe
  }
}

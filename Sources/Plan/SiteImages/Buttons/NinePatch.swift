package import Manifest
import Recipes

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

  package let appearance: String
  package let state: String
  package let density: Density
  package let siteImage: SiteImage

  init(_ button: ButtonStyle, _ face: ButtonStyle.Face, density: Density) {
    appearance = face.appearance
    state = face.state
    self.density = density
    siteImage = SiteImage(
      Source(color: face.color), Self.recipe(of: button, scale: density.scale), place: button.place,
      path: button.path)
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
    recipe.effects.append(
      .guides(
        NinePatchGuides(
          stretchedColumns: middle, stretchedRows: middle, contentColumns: content,
          contentRows: content)))
    return recipe
  }
}

extension ButtonStyle {
  /// Of every state, appearance and density; none of a plain button, which is a colour in Android.
  package var ninePatches: [NinePatch] {
    guard !isPlain else { return [] }
    return faces.flatMap { face in
      NinePatch.Density.allCases.map { NinePatch(self, face, density: $0) }
    }
  }
}

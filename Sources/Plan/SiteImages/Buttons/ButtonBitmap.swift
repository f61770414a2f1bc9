package import Manifest
import Recipes

/// The stretchable picture of one state of a button at one scale.
package struct ButtonBitmap: Hashable, Sendable {
  package let appearance: String
  package let state: String
  package let slice: NineSlice
  package let siteImage: SiteImage

  init(_ button: ButtonStyle, _ face: ButtonStyle.Face, scale: Double) {
    appearance = face.appearance
    state = face.state
    slice = NineSlice(button, scale: scale)
    siteImage = SiteImage(
      Source(color: face.color), slice.recipe, place: button.place, path: button.path)
  }
}

extension ButtonStyle {
  /// Pixels per point of bitmaps for pages and for Apple's devices.
  package static let scales = [1.0, 2, 3]

  /// One state in one appearance.
  typealias Face = (appearance: String, state: String, color: Color)

  /// Every state in every appearance.
  var faces: [Face] {
    appearances.flatMap { name, appearance in
      appearance.states.map { (name, $0.name, $0.color) }
    }
  }

  /// Of every face, by scale; a plain colour is one pixel at any scale.
  package func bitmaps(at scales: [Double] = scales) -> [ButtonBitmap] {
    faces.flatMap { bitmaps(of: $0, at: scales) }
  }

  /// Of one state, by scale.
  package func bitmaps(
    of state: String, in appearance: String, at scales: [Double] = scales
  ) -> [ButtonBitmap] {
    faces.filter { $0.state == state && $0.appearance == appearance }
      .flatMap { bitmaps(of: $0, at: scales) }
  }

  private func bitmaps(of face: Face, at scales: [Double]) -> [ButtonBitmap] {
    (isPlain ? Array(scales.prefix(1)) : scales).map { ButtonBitmap(self, face, scale: $0) }
  }
}

import Imaging

/// The stretchable picture of one state of a button at one scale.
package struct ButtonBitmap: Hashable, Sendable {
  package let appearance: String
  package let state: String
  package let slice: NineSlice
  package let piece: Piece

  init(_ button: ButtonStyle, appearance: String, state: String, color: Color, scale: Double) {
    self.appearance = appearance
    self.state = state
    slice = NineSlice(button, scale: scale)
    piece = Piece(Source(color: color), slice.recipe, place: button.place, path: button.path)
  }
}

extension ButtonStyle {
  /// Pixels per point of bitmaps for pages.
  package static let webScales = [1.0, 2, 3]
  /// Pixels per point of Apple's devices.
  package static let appleScales = [1.0, 2, 3]

  /// Of every state and appearance, by scale; a plain colour is one pixel at any scale.
  package func bitmaps(at scales: [Double]) -> [ButtonBitmap] {
    appearances.flatMap { appearance in
      appearance.appearance.states.flatMap { state in
        (isPlain ? Array(scales.prefix(1)) : scales).map { scale in
          ButtonBitmap(
            self, appearance: appearance.name, state: state.name, color: state.color, scale: scale)
        }
      }
    }
  }

  /// Of one state, by scale.
  package func bitmaps(
    of state: String, in appearance: String, at scales: [Double]
  ) -> [ButtonBitmap] {
    bitmaps(at: scales).filter { $0.state == state && $0.appearance == appearance }
  }
}

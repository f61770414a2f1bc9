package import Diagnostics
package import Recipes

package struct ButtonStyle: Hashable, Sendable {
  package enum State: String, CaseIterable, Hashable, Sendable {
    case normal, highlighted, disabled, selected, focused
  }

  package enum Appearance: String, CaseIterable, Hashable, Sendable {
    case light, dark

    package var page: Color { self == .dark ? .black : .white }
  }

  package struct Colors: Hashable, Sendable {
    package var normal: Color
    /// The colours of the other states; `highlighted` is always present.
    package var others: [State: Color]
    package var title: Color?
    package var overlay: Fill?

    package init(normal: Color, highlighted: Color) {
      self.normal = normal
      others = [.highlighted: highlighted]
    }

    package var states: [(state: State, color: Color)] {
      [(.normal, normal)] + State.allCases.compactMap { state in others[state].map { (state, $0) } }
    }

    package func contrast(on color: Color, in appearance: Appearance) -> Double? {
      title.map { $0.contrast(with: color, under: overlay, on: appearance.page) }
    }
  }

  package struct Edge: Hashable, Sendable {
    package var width: Double
    package var color: Color

    package init(width: Double, color: Color) {
      self.width = width
      self.color = color
    }
  }

  package enum Emission: String, CaseIterable, Hashable, Sendable {
    case css, png
  }

  package var name: String
  package var light: Colors
  package var dark: Colors?
  /// The corner radius in points.
  package var radius = 0.0
  package var curve = Outline.Curve.circular
  package var border: Edge?
  /// A fill drawn only by CSS, because stretching a bitmap would distort a gradient.
  package var overlay: Fill?
  /// A shadow drawn only by CSS, with the outset as its spread.
  package var shadow: Shadow?
  package var emit: Set<Emission> = [.css]
  /// Whether apps tint the button themselves.
  package var isTemplate = false
  package var declared: Located

  package init(name: String, light: Colors, declared: Located) {
    self.name = name
    self.light = light
    self.declared = declared
  }

  package var visibleBorder: Edge? { border.flatMap { $0.color.alpha > 0 ? $0 : nil } }

  /// The width of the unstretched edge on each side, in points.
  package var cap: Double { max(radius * curve.extent, visibleBorder?.width ?? 0) }

  package var isPlain: Bool { cap == 0 }

  package var appearances: [(appearance: Appearance, colors: Colors)] {
    [(.light, light)] + (dark.map { [(.dark, $0)] } ?? [])
  }
}

extension Double {
  /// The contrast with two decimals, rounded down so that 4.499 is not shown as 4.5.
  package var roundedContrast: Double {
    // Compensate for floating-point error, so that 21 is not shown as 20.99.
    (self * 100 + 1e-9).rounded(.down) / 100
  }
}

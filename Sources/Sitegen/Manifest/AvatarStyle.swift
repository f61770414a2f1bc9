package import Imaging

/// A named look that users' pictures get; all lengths in points.
package struct AvatarStyle: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    case circle
    case rounded(Length, corners: Set<Corner>)
    case square
  }

  package enum Corner: String, Hashable, Sendable, CaseIterable {
    case topLeft = "tl"
    case topRight = "tr"
    case bottomRight = "br"
    case bottomLeft = "bl"
  }

  /// Points, or a fraction of the shorter side.
  package enum Length: Hashable, Sendable {
    case points(Double)
    case fraction(Double)
  }

  package struct Ring: Hashable, Sendable {
    package var width: Double
    /// Nil draws nothing.
    package var color: Color?
    package var mode: Border.Mode
    package var hidden: Bool
    package var allowNonSquare: Bool

    package init(
      width: Double = Ring.defaultWidth, color: Color?, mode: Border.Mode = .over,
      hidden: Bool = false,
      allowNonSquare: Bool = false
    ) {
      self.width = width
      self.color = color
      self.mode = mode
      self.hidden = hidden
      self.allowNonSquare = allowNonSquare
    }
  }

  package var name: String
  package var width: Double
  package var height: Double
  /// Ascending and distinct.
  package var scales: [Double]
  package var shape: Shape
  package var fit: Fit
  package var focus: Focus
  package var border: Ring?
  package var background: Color?
  /// Paint the background behind transparent pictures.
  package var underlay: Bool
  /// Flatten: white, then the background.
  package var opaque: Bool
  /// In the manifest's order, distinct.
  package var formats: [OutputFormat]
  package var quality: [OutputFormat: Int]
  package var place: Place
  package var path: String

  /// The defaults of every way in (file, CSV, command line) live here.
  package init(
    name: String = AvatarStyle.defaultName, width: Double = 64, height: Double = 64,
    scales: [Double] = [1, 2, 3],
    shape: Shape = .circle, fit: Fit = .fill, focus: Focus = .center, border: Ring? = nil,
    background: Color? = nil, underlay: Bool = false, opaque: Bool = false,
    formats: [OutputFormat] = [.webp, .png], quality: [OutputFormat: Int] = [:], place: Place,
    path: String
  ) {
    self.name = name
    self.width = width
    self.height = height
    self.scales = scales
    self.shape = shape
    self.fit = fit
    self.focus = focus
    self.border = border
    self.background = background
    self.underlay = underlay
    self.opaque = opaque
    self.formats = formats
    self.quality = quality
    self.place = place
    self.path = path
  }
}

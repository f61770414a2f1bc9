import Manifest
import Plan
import Recipes

/// A style's recipe in words, limited to the steps with a visible effect.
struct StyleDescription {
  private let style: AvatarStyle
  private let size: PixelSize

  init(_ style: AvatarStyle) {
    self.style = style
    size = style.displaySize(inset: StyleLayout(style).inset)
  }

  var lines: [(term: String, text: String)] {
    var lines: [(term: String, text: String)] = []
    func add(_ term: String, _ text: String?) {
      if let text { lines.append((term, text)) }
    }
    add("Size", sizeText)
    add("Shape", shape)
    add("Fit", fit)
    add("Focus", focus)
    let canZoom = style.zoom != nil || ![nil, .smart].contains(style.finder)
    if style.fit == .fill, style.zoom != 1, canZoom {
      add("Zoom", style.zoom.map { $0.plain + "×" } ?? "zooms in on a small face")
    }
    add("Filters", Self.list(filters))
    add("Background", background)
    add("Overlay", style.overlay.map { Self.text(of: $0) })
    let rings = style.border.filter(\.isDrawn)
    for (number, ring) in rings.enumerated() {
      add(rings.count == 1 ? "Border" : "Border \(number + 1)", text(of: ring))
    }
    add("Shadow", shadow)
    add("Decorations", Self.list(style.decorations.filter(\.isDrawn).map(text)))
    add("Formats", Self.list(style.formats.map(text)))
    add("Scales", Self.list(style.scales.map { $0.plain + "×" }))
    return lines
  }

  private var sizeText: String {
    let box = "\(style.width.plain) × \(style.height.plain) points"
    let hasRoom =
      size.width != Int(style.width.rounded()) || size.height != Int(style.height.rounded())
    return hasRoom ? "\(box), or \(size.width) × \(size.height) including all effects" : box
  }

  private var shape: String {
    if style.mask != nil { return "the outline from a mask file" }
    return switch style.shape {
    case .circle: style.width == style.height ? "circle" : "capsule"
    case .square: style.width == style.height ? "square" : "rectangle"
    case .rounded: "rounded corners, radius \(radius)"
    case .continuous: "continuous corners, radius \(radius)"
    }
  }

  private var radius: String {
    let length =
      switch style.radius {
      case .points(let points): points.points
      case .fraction(let part): "\(Self.percent(part)) of the shorter side"
      }
    guard style.corners.count < AvatarStyle.Corner.allCases.count else { return length }
    let named = AvatarStyle.Corner.allCases.filter(style.corners.contains).map(\.words)
    return "\(length): \(Self.list(named) ?? "none")"
  }

  private var fit: String {
    switch style.fit {
    case .fill: "covers the box; the rest is cropped"
    case .contain: "entirely inside the box"
    case .stretch: "stretched to fill the box"
    }
  }

  private var focus: String? {
    guard style.fit == .fill else { return nil }
    let point =
      style.focus == .center
      ? "the centre"
      : "\(Self.percent(style.focus.x)) from the left, \(Self.percent(style.focus.y)) from the top"
    switch style.finder {
    case nil: return point
    case .quickFace?: return "the face, or else \(point)"
    case .smart?: return "the most interesting part, or else \(point)"
    case .face(let headRoom, let isSmartOtherwise)?:
      let otherwise = isSmartOtherwise ? "the most interesting part" : point
      return "the face plus \(Self.percent(headRoom)) of its height above it, or else \(otherwise)"
    }
  }

  private var filters: [String] {
    let tint = style.tint.flatMap { $0.alpha > 0 ? "tinted \($0.css)" : nil }
    return [
      style.isGrayscale ? "greyscale" : nil, tint,
      style.blur > 0 ? "blurred by \(style.blur.points)" : nil,
    ].compactMap(\.self)
  }

  private var background: String? {
    let color = style.background.map(\.css)
    if style.opaque { return "\(color ?? "white") behind the whole image" }
    guard let color else { return nil }
    return style.underlay ? "\(color) behind the picture" : "\(color) in formats without alpha"
  }

  private func text(of ring: AvatarStyle.Ring) -> String {
    let width =
      switch ring.width {
      case .points(let points): points.points
      case .hairline: "one pixel"
      }
    let position =
      switch ring.mode {
      case .over: "over the picture"
      case .inset: "replacing the picture's edge"
      case .outside: "around the picture"
      }
    let gap = ring.gap > 0 && ring.mode != .over ? ", with a gap of \(ring.gap.points)" : ""
    return "\(width) in \(ring.fill.map { Self.text(of: $0) } ?? "nothing"), \(position)\(gap)"
  }

  private var shadow: String? {
    guard let shadow = style.shadow, shadow.color.alpha > 0 else { return nil }
    var parts = [shadow.color.css]
    if shadow.radius > 0 { parts.append("blurred by \(shadow.radius.points)") }
    if shadow.x != 0 { parts.append("\(shadow.x.points) to the right") }
    if shadow.y != 0 { parts.append("\(shadow.y.points) down") }
    if shadow.outset != 0 { parts.append("spread by \(shadow.outset.points)") }
    return Self.list(parts)
  }

  private func text(of decoration: AvatarStyle.Decoration) -> String {
    let size = decoration.size.points
    var text =
      switch decoration.content {
      case .dot(let color): "a dot \(size) wide in \(color.css)"
      case .badge: "a badge \(size) wide"
      }
    text += " at the \(decoration.corner.words)"
    if let trait = decoration.condition?.rawValue { text += " on pictures that are \(trait)" }
    if let name = decoration.name { text += " for people with the decoration “\(name)”" }
    return text
  }

  private func text(of format: OutputFormat) -> String {
    var text = format.rawValue
    let quality = style.quality[format] ?? (format == .webp ? nil : format.defaultQuality)
    if let quality { text += " (quality \(quality))" }
    if let limit = style.maxBytes[format] { text += " up to \(limit) bytes" }
    return text
  }

  private static func text(of fill: Fill) -> String {
    switch fill {
    case .solid(let color): color.css
    case .linear(let colors, let degrees):
      "a linear gradient at \(degrees.plain)° (\(list(colors.map(\.css)) ?? "none"))"
    case .conic(let colors, let degrees):
      "a conic gradient from \(degrees.plain)° (\(list(colors.map(\.css)) ?? "none"))"
    }
  }

  private static func percent(_ part: Double) -> String {
    "\(((part * 10_000).rounded() / 100).plain)%"
  }

  private static func list(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

extension AvatarStyle.Corner {
  fileprivate var words: String {
    switch self {
    case .topLeft: "top left"
    case .topRight: "top right"
    case .bottomRight: "bottom right"
    case .bottomLeft: "bottom left"
    }
  }
}

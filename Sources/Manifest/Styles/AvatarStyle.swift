package import Diagnostics
package import Recipes

/// A named avatar style, with lengths in points; the initial values are the manifest's defaults.
package struct AvatarStyle: Hashable, Sendable {
  package var name: String
  package var width = 64.0
  package var height = 64.0
  /// Pixels per point, sorted and unique.
  package var scales = [1.0, 2, 3]
  package var shape = Shape.circle
  /// The mask whose alpha channel is the outline; with a mask, `shape` is square.
  package var mask: PictureFile?
  package var radius = Length.fraction(0.25)
  package var corners = Set(Corner.allCases)
  package var fit = Fit.fill
  /// The point to keep when cropping, unless `finder` finds a better one.
  package var focus = Focus.center
  package var finder: Finder?
  /// The zoom relative to the largest possible crop; nil means `auto`.
  package var zoom: Double? = 1
  package var isGrayscale = false
  package var tint: Color?
  package var blur = 0.0
  /// Rings in order from the outline: inner rings inwards, outer rings outwards.
  package var border: [Ring] = []
  package var background: Color?
  package var underlay = false
  package var overlay: Fill?
  /// The shadow, whose outset includes the spread but not the rings.
  package var shadow: Shadow?
  package var opaque = false
  package var decorations: [Decoration] = []
  /// File formats without duplicates, in the manifest's order.
  package var formats: [OutputFormat] = [.webp, .png]
  package var quality: [OutputFormat: Int] = [:]
  package var maxBytes: [OutputFormat: Int] = [:]
  package var declared: Located
  /// The location of `focus`, if the style sets it and uses a finder.
  package var focusLocation: FileLocation?
  package var limitLocation: FileLocation?

  package init(name: String = "round", declared: Located) {
    (self.name, self.declared) = (name, declared)
  }

  package var drawsNothing: Bool { width < 1 || height < 1 }

  package var looksForFaces: Bool {
    switch finder {
    case nil, .smart: false
    case .face, .quickFace: fit == .fill && !drawsNothing
    }
  }

  package enum Shape: String, Hashable, Sendable, CaseIterable {
    case circle, rounded, continuous, square
  }

  package struct PictureFile: Hashable, Sendable {
    package let path: SourcePath
    package let declared: Located
  }

  package enum Corner: String, Hashable, Sendable, CaseIterable {
    case topLeft = "tl"
    case topRight = "tr"
    case bottomRight = "br"
    case bottomLeft = "bl"
  }

  package enum Length: Hashable, Sendable {
    case points(Double)
    case fraction(Double)
  }

  /// A method for finding a better crop centre than the focus.
  package enum Finder: Hashable, Sendable {
    case smart
    /// - Parameters:
    ///   - headRoom: The space to keep above a face, as a fraction of the face's height.
    ///   - isSmartOtherwise: Whether to fall back to smart cropping rather than the style's focus.
    case face(headRoom: Double, isSmartOtherwise: Bool)
    /// A faster face search, used by default in a manifest without `avatars`.
    case quickFace
  }

  static let keys = Keys<AvatarStyle>("a style") {
    Key("name", .word(for: "style"), to: \.name).doc(default: "round", "A unique name.")
    Key("from", .text().described("style name"))
      .doc(
        "The style to inherit missing keys from, including keys in mappings. `focus` and lists "
          + "are inherited as a whole.")
    Key("size", .size) { ($0.width, $0.height) = $1 }
      .doc(default: "64", "The size in points. Styles below 1 point are not drawn.")
    Key("scales", .list(.number(.scale), 1...8)) { $0.scales = Set($1).sorted() }
      .doc(default: "[1, 2, 3]", "Pixels per point. Each scale is a separate image.")
    Key("shape", .shape) { ($0.shape, $0.mask) = $1 }
      .doc(default: "circle", "A non-square `circle` is a capsule. `continuous` is iOS-style.")
    Key(
      "radius",
      .either(
        Kind.percentage(.percentage).map { Length.fraction($0) },
        Kind.number(.length).map { Length.points($0) }), to: \.radius
    )
    .doc(
      default: "25%",
      "The corner radius, in points or relative to the shorter side, up to half of that side.")
    Key("corners", .list(.words(Corner.self), 1...16)) { $0.corners = Set($1) }
      .doc(default: "all four", "The corners to round.")
    Key("fit", .words(Fit.self), to: \.fit)
      .doc(
        default: "fill",
        "`fill` crops the picture, `contain` shows all of it, and `stretch` distorts it.")
    Key("focus", .focus) { ($0.focus, $0.finder) = ($1.focus, $1.finder) }
      .doc(default: "[50%, 50%]", "The point to keep visible in a crop, or how to find it.")
    Key("zoom", .zoom) { $0.zoom = $1 }
      .doc(
        default: "1",
        "A number makes the crop that many times smaller. `auto` zooms in on a small face.")
    Key("grayscale", .boolean, to: \.isGrayscale).doc(default: "false", "Removes the colour.")
    Key("tint", .color, to: \.tint).doc("Tints the picture. An opaque colour tints it fully.")
    Key("blur", .number(.length), to: \.blur)
      .doc(default: "0", "The standard deviation of the blur, in points.")
    Key("border", .border, to: \.border).doc("Rings along the edge of the shape.")
    Key("background", .color, to: \.background)
      .doc("The colour behind transparent pictures. It requires `underlay` or `opaque`.")
    Key("underlay", .boolean, to: \.underlay)
      .doc(default: "false", "Paints the background behind the picture, inside the shape.")
    Key("overlay", .mapping(Gradient.overlayKeys, Gradient())) { $0.overlay = $1.fill }
      .doc("Colours painted over the picture, inside the shape.")
    Key("shadow", .mapping(Shadow.keys, Shadow()), to: \.shadow)
      .doc("A shadow behind the shape and its rings. It enlarges the image.")
    Key("opaque", .boolean, to: \.opaque)
      .doc(default: "false", "Flattens the image onto `background`, then onto white.")
    Key(
      "decorations",
      .list(
        .mapping(Decoration.keys, Decoration(.dot(.invisible))), 0...ManifestLimits.decorations),
      to: \.decorations
    )
    .doc("Dots and badges at the corners. The last one is on top.")
    Key("formats", .list(.format, 1...16)) { $0.formats = $1.distinct }
      .doc(default: "[webp, png]", "File formats. `jpeg` needs `opaque` or an opaque background.")
    Key("quality", .mapping(qualityKeys, [:]), to: \.quality)
      .doc("The quality of each lossy format.")
    Key("maxBytes", .maxBytes, to: \.maxBytes)
      .doc("The maximum file size: one limit for every format, or a limit per format.")
  }

  static let maskKeys = Keys<(Shape, PictureFile?)>("a mask") {
    Key("mask", .pictureFile, required: "specify an SVG or PNG file") { $0.1 = $1 }
      .doc("An SVG or PNG of up to 1 MiB. The outline is its alpha channel, stretched to `size`.")
  }

  static let qualityKeys = Keys<[OutputFormat: Int]>("quality") {
    for format in OutputFormat.allCases where format.defaultQuality != nil {
      Key(format.rawValue, .whole(1...100)) { $0[format] = $1 }
        .doc(
          default: (format == .webp ? "84 to 92 for images up to 128 pixels per side, else " : "")
            + "\(format.defaultQuality ?? 0)", "The quality of `\(format.rawValue)` files.")
    }
  }

  static let maxBytesKeys = Keys<[OutputFormat: Int]>("a byte limit") {
    for format in OutputFormat.allCases {
      Key(format.rawValue, .whole(1...1_000_000_000_000).described("whole number")) {
        $0[format] = $1
      }
      .doc("The maximum size of `\(format.rawValue)` files, in bytes.")
    }
  }
}

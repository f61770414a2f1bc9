import Diagnostics
import Documents
import Recipes

extension FieldReader {
  mutating func complete(_ written: [WrittenStyle], _ field: Field) -> [AvatarStyle] {
    checkNames(written.map { ($0.style.name, $0.field) }, "styles")
    let errors = diagnostics.count(.error)
    let styles = written.indices.map { complete($0, of: written) }
    styleNames = styles.map(\.name)
    if diagnostics.count(.error) == errors { checkPixels(of: styles, field) }
    return styles
  }

  /// Returns the style with inherited keys, or without them if the style or an ancestor is invalid.
  private mutating func complete(_ index: Int, of written: [WrittenStyle]) -> AvatarStyle {
    let own = written[index]
    guard let line = line(of: index, in: written), let eldest = line.last,
      line.allSatisfy({ $0.fields?.isSound == true })
    else { return own.style }
    let node = line.dropLast().reversed().reduce(eldest.field.node) {
      merge($1.field.node, over: $0.without("name"), AvatarStyle.keys.table)
    }
    var style = value(
      of: Field(node: node, path: own.field.path), AvatarStyle.keys,
      from: AvatarStyle(declared: own.style.declared))
    own.check(&style, &self)
    return style
  }

  private mutating func line(of index: Int, in written: [WrittenStyle]) -> [WrittenStyle]? {
    var line = [index]
    while let from = written[line[line.count - 1]].fields?["from"], let name = from.node.text {
      guard let next = written.firstIndex(where: { $0.style.name == name }) else {
        // Report an unknown style only where it is named.
        if line.count == 1 {
          reportUnknown("style", name, .unknownStyle, from, among: written.map(\.style.name))
        }
        return nil
      }
      if line.contains(next) {
        // Report a cycle only at its first style.
        if next == index, line.min() == index, let from = written[index].fields?["from"] {
          let names = (line + [index]).map { written[$0].style.name }.joined(separator: " → ")
          report(
            .styleCycle, "styles inherit from one another: \(names)", from,
            help: "remove `from` from one of them")
        }
        return nil
      }
      line.append(next)
    }
    return line.map { written[$0] }
  }

  /// Reports styles whose images exceed the pixel limit of one worker job.
  private mutating func checkPixels(of styles: [AvatarStyle], _ field: Field) {
    var pixels = 0.0
    for style in styles where !style.drawsNothing {
      let layout = StyleLayout(style)
      for scale in style.scales {
        let (width, height) = layout.canvas(at: scale)
        pixels += width * height * Double(style.formats.count)
      }
    }
    guard pixels > ManifestLimits.pixelsOfOneUser else { return }
    report(
      .outOfRange, "a user's images add up to \(pixels.plain) pixels, which is too many", field,
      help: "use fewer styles, scales or formats: at most "
        + "\(Int(ManifestLimits.pixelsOfOneUser).grouped) pixels per user")
  }
}

struct WrittenStyle {
  let field: Field
  let fields: Fields?
  let style: AvatarStyle

  init(_ field: Field, _ reader: inout FieldReader) {
    self.field = field
    var style = AvatarStyle(declared: reader.located(field))
    fields = reader.read(field, AvatarStyle.keys, into: &style)
    self.style = style
  }
}

extension Node {
  fileprivate func without(_ key: String) -> Node {
    guard case .mapping(let entries) = content else { return self }
    return Node(.mapping(entries.filter { $0.key != key }), at: position)
  }
}

extension WrittenStyle {
  private func own(_ key: String) -> Field {
    Field(node: fields?[key]?.node ?? field.node, path: .key(key, in: field.path))
  }

  func check(_ style: inout AvatarStyle, _ reader: inout FieldReader) {
    if style.finder != nil {
      style.focusLocation = fields?["focus"].map { reader.located($0).location }
    }
    // Report only the style's own `zoom`; an inherited one that cannot apply is ignored.
    if let zoom = fields?["zoom"], style.zoom != 1,
      style.fit != .fill || style.zoom == nil && [nil, .smart].contains(style.finder)
    {
      reader.report(
        .conflict,
        style.fit != .fill ? "`zoom` needs `fit: fill`" : "`zoom: auto` needs `focus: face`", zoom,
        help: "remove it, or add \(style.fit != .fill ? "`fit: fill`" : "`focus: face`")")
    }
    if !style.maxBytes.isEmpty {
      style.limitLocation = fields?["maxBytes"].map { reader.located($0).location }
    }
    // Borders and shadows need a geometric outline, but a mask consists only of pixels.
    let hasRing = style.border.contains(where: \.isDrawn)
    if style.mask != nil, hasRing || (style.shadow?.color.alpha ?? 0) > 0 {
      reader.report(
        .conflict, "a border or shadow cannot follow the outline of a mask",
        own(hasRing ? "border" : "shadow"),
        help: "remove it, or draw the edge as a badge of the picture's size")
    }
    checkBorder(&style, &reader)
    checkPixels(style, &reader)
    if style.formats.contains(.jpeg), !style.opaque, style.background?.isOpaque != true {
      reader.report(
        .jpegNeedsBackground, "jpeg cannot be transparent, but the corners are", own("formats"),
        help: "add `opaque: true` or an opaque `background`, or remove jpeg")
    }
  }

  private func checkPixels(_ style: AvatarStyle, _ reader: inout FieldReader) {
    let size = own("size")
    if style.drawsNothing {
      return reader.report(
        .note, .styleTooSmall, "the style draws nothing, because it is smaller than 1 point", size)
    }
    let layout = StyleLayout(style)
    for scale in style.scales {
      let (width, height) = layout.canvas(at: scale)
      let isSmall = (min(style.width, style.height) * scale).rounded() < 1
      guard isSmall || limit(of: style.formats, width, height) != nil else { continue }
      let box = layout.box(at: scale)
      let isGrown = (width, height) != (Double(box.width), Double(box.height))
      reader.report(
        .outOfRange,
        "an image of \(width.plain) × \(height.plain) pixels is too \(isSmall ? "small" : "large") "
          + "at scale \(scale.plain)", size,
        note: isGrown
          ? "\(box.width) × \(box.height) without its border, shadow and decorations" : nil,
        help: isSmall
          ? "increase `size`: an image needs at least 1 pixel per side"
          : limit(of: style.formats, width, height).map { "reduce `size`: \($0)" })
      return
    }
  }

  private func limit(of formats: [OutputFormat], _ width: Double, _ height: Double) -> String? {
    for format in formats where max(width, height) > Double(format.largestSide) {
      return
        "a \(format.rawValue) image may have up to \(format.largestSide.grouped) pixels per side"
    }
    return width * height > ManifestLimits.pixelsOfOneImage
      ? "an image may have up to \(Int(ManifestLimits.pixelsOfOneImage).grouped) pixels" : nil
  }

  private func checkBorder(_ style: inout AvatarStyle, _ reader: inout FieldReader) {
    let border = own("border")
    // `fields` does not contain inherited rings, so the location of such a ring is unknown.
    let items = fields?["border"]?.items ?? []
    for (index, ring) in style.border.enumerated() where ring.mode == .over {
      if ring.gap > 0, items.indices.contains(index), let gap = items[index]["gap"],
        !reader.isAbsent(gap.node)
      {
        reader.report(
          .conflict, "an `over` border cannot have a gap", gap,
          help: "remove it, or use the mode `inset` or `outside`")
      }
      style.border[index].gap = 0
    }
    guard !style.drawsNothing else { return }
    let isSquare = style.width == style.height
    let skipped = style.border.indices.filter {
      style.border[$0].isDrawn && !isSquare && !style.border[$0].allowNonSquare
    }
    for index in skipped.reversed() {
      let ring = items.indices.contains(index) ? items[index] : border
      reader.report(
        .warning, .borderSkipped,
        "the border is left out: \(style.width.plain) × \(style.height.plain) is not square",
        at: reader.located(ring), help: "add `allowNonSquare: true` to the border")
      style.border.remove(at: index)
    }
    checkDepth(&style, border, &reader)
  }

  /// Removes the inner rings, with a warning, if they reach beyond the centre.
  private func checkDepth(
    _ style: inout AvatarStyle, _ border: Field, _ reader: inout FieldReader
  ) {
    let inner = style.border.filter { $0.isDrawn && $0.mode != .outside }
    let side = min(style.width, style.height)
    let half = side / 2
    // Skip scales at which the style is smaller than a pixel: `checkPixels` reports them.
    let depths = style.scales.filter { (side * $0).rounded() >= 1 }.map { scale in
      inner.reduce(0.0) { $0 + $1.width.pixels(at: scale) / scale + $1.gap }
    }
    guard let depth = depths.max(), depth > half else { return }
    reader.report(
      .warning, .borderSkipped,
      "the border is left out: its rings and gaps take up \(depth.points), more than half of the "
        + "shorter side", at: reader.located(border),
      help: "they may take up at most \(half.points) in total"
        + (inner.contains { $0.width == .hairline }
          ? "; a hairline is one pixel at every scale" : ""))
    style.border.removeAll { $0.isDrawn && $0.mode != .outside }
  }
}

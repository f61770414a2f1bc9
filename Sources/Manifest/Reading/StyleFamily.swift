import Diagnostics
import Documents
import Recipes

/// All styles of a manifest on their way from drafts to values: names, inheritance, checks.
struct StyleFamily {
  private let drafts: [StyleDraft]
  /// The first of each name.
  private(set) var indices: [String: Int] = [:]

  init(_ drafts: [StyleDraft], reporting reader: inout FieldReader) {
    self.drafts = drafts
    for (index, draft) in drafts.enumerated() {
      guard let first = indices[draft.name] else {
        indices[draft.name] = index
        continue
      }
      let location = FileLocation(file: reader.file, position: drafts[first].position(of: "name"))
      reader.report(
        .error, .duplicateName, "there are two styles called `\(draft.name)`",
        at: draft.position(of: "name"), draft.path, note: "the first is at \(location)",
        help: "give one of them another `name`; without one a style is called `round`")
    }
  }

  /// The finished styles, in the manifest's order, as many as there are drafts.
  func styles(reporting reader: inout FieldReader) -> [AvatarStyle] {
    var styles: [AvatarStyle] = []
    for index in drafts.indices {
      let draft = complete(index, reporting: &reader)
      var style = draft.finished
      if !draft.isBroken { draft.check(&style, reporting: &reader) }
      styles.append(style)
    }
    return styles
  }

  /// The draft of `index` with all that its line of ancestors says.
  private func complete(_ index: Int, reporting reader: inout FieldReader) -> StyleDraft {
    var line = [index]
    var isBroken = drafts[index].isBroken
    while let parent = drafts[line[line.count - 1]].parent {
      guard let next = indices[parent.name] else {
        // Said once, at the style that names it.
        if line.count == 1 {
          reader.reportUnknown(
            "style", parent.name, .unknownStyle, parent.field, among: drafts.map(\.name))
        }
        isBroken = true
        break
      }
      if line.contains(next) {
        // A circle is said once, at its first style.
        if next == index, line.min() == index {
          let names = (line + [index]).map { drafts[$0].name }.joined(separator: " → ")
          reader.report(
            .styleCycle, "styles start from one another: \(names)",
            drafts[index].parent?.field
              ?? parent.field, help: "remove `from` from one of them")
        }
        isBroken = true
        break
      }
      line.append(next)
      isBroken = isBroken || drafts[next].isBroken
    }
    var draft = drafts[index]
    for ancestor in line.dropFirst().reversed() { drafts[ancestor].settings.apply(to: &draft) }
    draft.border = draft.border.inherited
    draft.settings.apply(to: &draft)
    draft.isBroken = isBroken
    return draft
  }

  /// No user may cost more pixels than a worker makes in one job.
  static func checkPixels(
    of styles: [AvatarStyle], _ field: Field, reporting reader: inout FieldReader
  ) {
    var pixels = 0.0
    for style in styles where !style.drawsNothing {
      let layout = StyleLayout(style)
      for scale in style.scales {
        let (width, height) = layout.canvas(at: scale)
        pixels += width * height * Double(style.formats.count)
      }
    }
    if pixels > ManifestLimits.pixelsOfOneUser {
      reader.report(
        .outOfRange, "all styles, scales and formats together make \(pixels.plain) pixels a user",
        field, help: "allowed are \(ManifestLimits.pixelsOfOneUser.plain)")
    }
  }
}

// What can be judged only when the whole style is known.
extension StyleDraft {
  fileprivate func check(_ style: inout AvatarStyle, reporting reader: inout FieldReader) {
    checkBorder(&style, &reader)
    checkPixels(style, &reader)
    if style.formats.contains(.jpeg), !style.opaque, style.background?.isOpaque != true {
      reader.report(
        .error, .jpegNeedsBackground, "jpeg has no transparency, but the corners need it",
        at: position(of: "formats"), .key("formats", in: path),
        help: "add `opaque: true` or an opaque `background`, or leave jpeg out")
    }
  }

  // MARK: Pixels

  private func checkPixels(_ style: AvatarStyle, _ reader: inout FieldReader) {
    if style.drawsNothing {
      reader.report(
        .note, .styleTooSmall, "the style draws nothing, since it is smaller than 1 point",
        at: position(of: "size"), .key("size", in: path))
      return
    }
    let layout = StyleLayout(style)
    for scale in style.scales {
      let (width, height) = layout.canvas(at: scale)
      let side = min(style.width, style.height) * scale
      guard let help = helpForImage(width, height, side.rounded(), style.formats) else { continue }
      let box = layout.box(at: scale)
      let (boxWidth, boxHeight) = (Double(box.width), Double(box.height))
      let isBoxFine =
        helpForImage(boxWidth, boxHeight, side.rounded(), style.formats) == nil
      let key = isBoxFine ? largestRoom(of: style, at: scale) : "size"
      reader.report(
        .error, .outOfRange, "\(width.plain) × \(height.plain) pixels at scale \(scale.plain)",
        at: position(of: key), .key(key, in: path),
        note: isBoxFine
          ? "the picture takes \(boxWidth.plain) × \(boxHeight.plain) of them, the rest is room for "
            + "what sticks out" : nil,
        help: help)
      return
    }
  }

  /// The key of what makes the canvas grow most.
  private func largestRoom(of style: AvatarStyle, at scale: Double) -> String {
    let none = style.withoutRoom
    var parts = [("border", none), ("shadow", none), ("decorations", none)]
    parts[0].1.border = style.border
    parts[1].1.shadow = style.shadow
    parts[2].1.decorations = style.decorations
    let areas = parts.map { key, part in
      let (width, height) = StyleLayout(part).canvas(at: scale)
      return (key: key, area: width * height)
    }
    return areas.max { $0.area < $1.area }?.key ?? "size"
  }

  /// What an image of this size violates, nil when it can be made in all the formats.
  private func helpForImage(
    _ width: Double, _ height: Double, _ shorterSide: Double, _ formats: [OutputFormat]
  ) -> String? {
    if shorterSide < 1 { return "an image has at least 1 pixel a side" }
    for format in formats where max(width, height) > Double(format.largestSide) {
      return "an image in \(format.rawValue) has at most \(format.largestSide) pixels a side"
    }
    return width * height > ManifestLimits.pixelsOfOneImage
      ? "an image has at most \(ManifestLimits.pixelsOfOneImage.plain) pixels" : nil
  }

  // MARK: Border

  /// Rings that cannot be drawn are left out with a warning, never drawn blank.
  private func checkBorder(_ style: inout AvatarStyle, _ reader: inout FieldReader) {
    let borderPath = NodePath.key("border", in: path)
    let position = position(of: "border")
    let candidates = border.rings.enumerated().map { index, draft in
      // What comes from a parent has no position of its own.
      let isOwn = border.isList && draft.position != nil
      return (
        ring: draft.ring, draft: draft, position: draft.position ?? position,
        path: isOwn ? .item(index, of: borderPath) : borderPath
      )
    }
    for candidate in candidates where candidate.ring.mode == .over {
      // A gap that a parent gave to another mode means nothing here.
      guard candidate.draft.values.gap > 0, let position = candidate.draft.gapPosition else {
        continue
      }
      reader.report(
        .error, .conflict, "an `over` border has no gap", at: position,
        .key("gap", in: candidate.path), help: "remove it, or use the mode `inset` or `outside`")
    }
    guard !style.drawsNothing else { return }
    var kept = candidates
    kept.removeAll { candidate in
      guard candidate.ring.isDrawn, style.width != style.height, !candidate.ring.allowNonSquare
      else { return false }
      reader.report(
        .warning, .borderSkipped,
        "the border is left out: \(style.width.plain) × \(style.height.plain) is not square",
        at: candidate.position, candidate.path, help: "add `allowNonSquare: true` to the border")
      return true
    }
    style.border = kept.map(\.ring)
    checkDepth(&style, at: position, borderPath, &reader)
  }

  /// Rings that go inwards must not go beyond the middle.
  private func checkDepth(
    _ style: inout AvatarStyle, at position: Position, _ path: NodePath,
    _ reader: inout FieldReader
  ) {
    let inner = style.border.filter { $0.isDrawn && $0.mode != .outside }
    let side = min(style.width, style.height)
    let half = side / 2
    // A scale without pixels is told elsewhere.
    let depths = style.scales.filter { (side * $0).rounded() >= 1 }.map { scale in
      (inner.reduce(0.0) { $0 + $1.width.pixels(at: scale) / scale + $1.gap }, scale)
    }
    guard let (depth, scale) = depths.max(by: { $0.0 < $1.0 }), depth > half else { return }
    if inner.count == 1, inner[0].width == .points(depth) {
      reader.report(
        .warning, .borderSkipped,
        "the border is left out: its width \(depth.plain) is more than half of the shorter side",
        at: position, path, help: "use a width of at most \(half.plain)")
    } else {
      let hairline = "at scale \(scale.plain) a hairline is \((1 / scale).points) wide"
      reader.report(
        .warning, .borderSkipped,
        "the border is left out: its rings and gaps take \(depth.points), more than half of the "
          + "shorter side", at: position, path,
        note: inner.contains { $0.width == .hairline } ? hairline : nil,
        help: "they may take \(half.points) together")
    }
    style.border.removeAll { $0.isDrawn && $0.mode != .outside }
  }
}

extension AvatarStyle {
  /// The same style with nothing that makes the image larger than its box.
  fileprivate var withoutRoom: AvatarStyle {
    var style = self
    style.border = []
    style.shadow = nil
    style.decorations = []
    return style
  }
}

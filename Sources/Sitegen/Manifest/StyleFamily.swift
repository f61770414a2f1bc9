import Documents
import Imaging

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
      let place = Place(file: reader.file, position: drafts[first].place(of: "name"))
      reader.report(
        .error, .duplicateName, "there are two styles called `\(draft.name)`",
        at: draft.place(of: "name"), draft.path, note: "the first is at \(place)",
        help: "give one of them another `name`; without one a style is called `round`")
    }
  }

  /// The finished styles, in the manifest's order, as many as there are drafts.
  func styles(reporting reader: inout FieldReader) -> [AvatarStyle] {
    var styles: [AvatarStyle] = []
    for index in drafts.indices {
      let draft = complete(index, reporting: &reader)
      var style = draft.style(in: reader.file)
      if !draft.isBroken { reader.check(&style, draft) }
      styles.append(style)
    }
    return styles
  }

  /// The draft of `index` with all that its line of ancestors says.
  private func complete(_ index: Int, reporting reader: inout FieldReader) -> StyleDraft {
    var line = [index]
    var draft = drafts[index]
    while let parent = drafts[line[line.count - 1]].parent {
      guard let next = indices[parent.name] else {
        // Said once, at the style that names it.
        if line.count == 1 {
          reader.report(
            .unknownStyle, "there is no style called \(parent.name.quoted)", parent.field,
            help: suggestion(for: parent.name, among: drafts.map(\.name)))
        }
        draft.isBroken = true
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
        draft.isBroken = true
        break
      }
      line.append(next)
      draft = draft.filled(from: drafts[next])
    }
    return draft
  }
}

extension FieldReader {
  /// What can be judged only when the whole style is known.
  fileprivate mutating func check(_ style: inout AvatarStyle, _ draft: StyleDraft) {
    checkPixels(style, draft)
    checkBorder(&style, draft)
    if style.formats.contains(.jpeg), !style.opaque, style.background?.isOpaque != true {
      report(
        .error, .jpegNeedsBackground, "jpeg has no transparency, but the corners need it",
        at: draft.place(of: "formats"), .key("formats", in: draft.path),
        help: "add `opaque: true` or an opaque `background`, or leave jpeg out")
    }
  }

  private mutating func checkPixels(_ style: AvatarStyle, _ draft: StyleDraft) {
    let path = NodePath.key("size", in: draft.path)
    if style.drawsNothing {
      report(
        .note, .styleTooSmall, "the style draws nothing, since it is smaller than 1 point",
        at: draft.place(of: "size"), path)
      return
    }
    for scale in style.scales {
      let width = (style.width * scale).rounded()
      let height = (style.height * scale).rounded()
      guard let help = helpForImage(width, height, style.formats) else { continue }
      report(
        .error, .outOfRange, "\(width.plain) × \(height.plain) pixels at scale \(scale.plain)",
        at: draft.place(of: "size"), path, help: help)
      return
    }
  }

  /// What an image of this size violates, nil when it can be made in all the formats.
  private func helpForImage(
    _ width: Double, _ height: Double, _ formats: [OutputFormat]
  ) -> String? {
    if min(width, height) < 1 { return "an image has at least 1 pixel a side" }
    for format in formats where max(width, height) > Double(format.largestSide) {
      return "a \(format.rawValue) image has at most \(format.largestSide) pixels a side"
    }
    return width * height > ManifestLimits.pixelsOfOneImage
      ? "an image has at most \(ManifestLimits.pixelsOfOneImage.plain) pixels" : nil
  }

  /// A ring that cannot be drawn is left out with a warning, never drawn blank.
  private mutating func checkBorder(_ style: inout AvatarStyle, _ draft: StyleDraft) {
    guard let ring = style.border, !ring.hidden, ring.color != nil, ring.width > 0,
      !style.drawsNothing
    else { return }
    let half = min(style.width, style.height) / 2
    let cause: String
    let help: String
    if ring.width > half {
      cause = "its width \(ring.width.plain) is more than half of the shorter side"
      help = "use a width of at most \(half.plain)"
    } else if style.width != style.height, !ring.allowNonSquare {
      cause = "\(style.width.plain) × \(style.height.plain) is not square"
      help = "add `allowNonSquare: true` to the border"
    } else {
      return
    }
    report(
      .warning, .borderSkipped, "the border is left out: \(cause)",
      at: draft.place(of: "border"), .key("border", in: draft.path), help: help)
    style.border = nil
  }
}

import Bytes
import Manifest
import Plan
import Recipes

struct ExportedFiles: Sendable {
  /// The images, in any order and possibly with duplicates.
  var images: [Site.File] = []
  var pages: [Site.Page] = []
}

extension ExportedFiles {
  init(buttonsOf content: SiteContent) {
    pages = [Site.Page("buttons.css", ButtonsCSS.text(for: content))]
    for button in content.manifest.buttons where button.emit.contains(.png) {
      images += button.bitmaps().compactMap { bitmap in
        content.asset(of: bitmap.siteImage).map { Site.File($0) }
      }
    }
  }

  init(cardOf content: SiteContent) {
    if let (_, asset) = content.card { images = [Site.File(asset)] }
  }

  init(stripsOf content: SiteContent) {
    let strips = content.manifest.strips
    guard !strips.isEmpty else { return }
    var css = CSSWriter()
    for strip in strips {
      let found = content.images(of: strip)
      images += found.map { Site.File($0.asset) }
      guard let first = found.first else { continue }
      css.rule(
        [".strip-\(CSSName.escaped(strip.name))"],
        [
          "display: block", "height: \(strip.shadow.height)px",
          // A fallback for browsers without `image-set`.
          "background: \(CSSWriter.url(first.asset)) repeat-x",
          "background-image: \(CSSWriter.imageSet(found))",
          "background-size: 1px \(strip.shadow.height)px",
        ])
    }
    pages = [Site.Page("strips.css", css.text)]
  }

  /// Creates aliases: each user's pictures under stable names, such as `u/ada/round@2x.webp`.
  init(aliasesOf content: SiteContent) {
    let manifest = content.manifest
    guard manifest.exports.contains(.aliases) else { return }
    for user in manifest.users.indices {
      guard let name = manifest.users[user].pathName else { continue }
      for style in content.styles(of: user) {
        let stem = "\(Site.File.aliases)\(name)/\(manifest.styles[style].name)"
        images += content.images(of: user, style: style).map { scale, asset in
          let density = scale == 1 ? "" : "@\(scale.plain)x"
          return Site.File(asset, at: "\(stem)\(density).\(asset.format.fileExtension)")
        }
      }
    }
  }

  /// Creates `avatars.css`, which sets each style's shape and size; sizes prevent layout shifts.
  init(avatarsOf styles: [AvatarStyle]) {
    var css = CSSWriter()
    for style in styles {
      let name = CSSName.escaped(style.name)
      let layout = StyleLayout(style)
      css.rule([".avatar-\(name)"], layout.declarations)
      css.rule([".shape-\(name)"], layout.shape(of: style))
    }
    pages = [Site.Page("avatars.css", css.text)]
  }
}

extension StyleLayout {
  /// The declarations for an image's size, with negative margins that cancel the inset.
  var declarations: [String] {
    let lines = [
      "width: \(CSSWriter.points(size.width))", "height: \(CSSWriter.points(size.height))",
    ]
    guard inset != .none else { return lines }
    let margins = [inset.top, inset.right, inset.bottom, inset.left]
    let points = margins.map { CSSWriter.points(Double(0 - $0)) }
    return lines + ["margin: " + points.joined(separator: " ")]
  }

  /// Returns `border-radius` in percent, and a hairline that gives white photos a visible edge.
  func shape(of style: AvatarStyle) -> [String] {
    let box = box(at: 1)
    guard box.shorterSide > 0 else { return [] }
    // CSS cannot describe the mask's outline, so hide the placeholder colour and omit the hairline.
    if style.mask != nil { return ["--color: transparent !important"] }
    let outline = Outline(style, box: box, scale: 1)
    let radii = [outline.topLeft, outline.topRight, outline.bottomRight, outline.bottomLeft]
    func percent(_ lengths: [Double], of whole: Int) -> String {
      let texts = lengths.map { "\((($0 / Double(whole) * 1e6).rounded() / 1e4).plain)%" }
      return (Set(texts).count == 1 ? texts[..<1] : texts[...]).joined(separator: " ")
    }
    let (across, down) = (percent(radii, of: box.width), percent(radii, of: box.height))
    let corners = across == down ? across : "\(across) / \(down)"
    var lines = radii.allSatisfy { $0 == 0 } ? [] : ["border-radius: \(corners)"]
    if style.border.isEmpty, style.decorations.isEmpty, inset == .none {
      lines += ["outline: 1px solid var(--hairline, #00000014)", "outline-offset: -1px"]
    }
    return lines
  }
}

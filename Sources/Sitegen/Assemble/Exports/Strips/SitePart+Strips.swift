import Imaging
import Store

extension SiteContent {
  /// The finished pictures of a strip, by scale; those that failed are left out.
  func images(of strip: ShadowStrip) -> [(scale: Int, asset: Asset)] {
    strip.bitmaps.compactMap { bitmap in
      pieces.asset(of: bitmap.piece).map { (bitmap.scale, $0) }
    }
  }
}

extension SitePart {
  /// `strips.css` and the pictures that it names.
  init(stripsOf content: SiteContent) {
    let strips = content.manifest.strips
    guard !strips.isEmpty else { return }
    images = strips.flatMap { strip in
      content.images(of: strip).map { Site.Image($0.asset, .png) }
    }
    var css = CSSText()
    for strip in strips { css.rule(for: strip, content.images(of: strip)) }
    pages = [Site.Page("strips.css", css.text)]
  }
}

extension CSSText {
  /// A block as wide as there is room; nothing for a strip without pictures.
  fileprivate mutating func rule(
    for strip: ShadowStrip, _ images: [(scale: Int, asset: Asset)]
  ) {
    guard let first = images.first else { return }
    func address(_ asset: Asset) -> String {
      "url(\"\(asset.path(as: OutputFormat.png.fileExtension))\")"
    }
    let set = images.map { "\(address($0.asset)) \($0.scale)x" }.joined(separator: ", ")
    // Browsers that know no `image-set` pass over its line, and stay with the one before.
    rule(
      [".strip-\(CSSName.escape(strip.name))"],
      [
        "display: block", "height: \(strip.height)px",
        "background: \(address(first.asset)) repeat-x",
        "background-image: image-set(\(set))", "background-size: 1px \(strip.height)px",
      ])
  }
}

extension AssetsJSON {
  /// `strips`: the pictures of each, by name; nothing where there are none.
  func write(_ strips: [ShadowStrip], to json: inout JSONBytes) {
    guard !strips.isEmpty else { return }
    json.line(indent: 2)
    json.key("strips")
    json.object { json in
      for strip in strips.sorted(by: { Self.precedes($0.name, $1.name) }) {
        json.line(indent: 4)
        json.key(strip.name)
        json.array { json in
          for (scale, asset) in content.images(of: strip) { write(asset, scale: scale, to: &json) }
        }
      }
    }
  }

  private func write(_ asset: Asset, scale: Int, to json: inout JSONBytes) {
    json.object { json in
      json.key("bytes")
      json.number(Int(asset.bytes))
      json.key("format")
      json.string(OutputFormat.png.rawValue)
      json.key("height")
      json.number(Int(asset.height))
      json.key("path")
      json.string(asset.path(as: OutputFormat.png.fileExtension))
      json.key("scale")
      json.number(scale)
      json.key("sha256")
      json.string(asset.digest.hex)
      json.key("width")
      json.number(Int(asset.width))
    }
  }
}

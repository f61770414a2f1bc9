import Bytes
import Foundation
import Recipes

// Most keys below are from Apple's Asset Catalog Format Reference. The `appearances` key and the
// format of `components` are not documented there; they match Xcode's output.

extension AssetCatalog {
  typealias Contents = [String: any Sendable]

  /// Encodes a `Contents.json` exactly as Xcode saves it.
  static func file(_ contents: Contents) throws -> [UInt8] {
    let options: JSONSerialization.WritingOptions = [
      .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
    ]
    return Array(try JSONSerialization.data(withJSONObject: contents, options: options)) + [0x0A]
  }

  static func contents(_ members: Contents = [:]) -> Contents {
    let info: Contents = ["author": "sitegen", "version": 1]
    return members.merging(["info": info]) { first, _ in first }
  }

  static var groupContents: Contents {
    contents(["properties": ["provides-namespace": true]])
  }

  fileprivate static func item(_ members: Contents, isDark: Bool) -> Contents {
    var item = members
    item["idiom"] = "universal"
    if isDark { item["appearances"] = [["appearance": "luminosity", "value": "dark"]] }
    return item
  }
}

extension AssetCatalog.ImageSet {
  var contents: AssetCatalog.Contents {
    AssetCatalog.contents([
      "images": images.map { $0.contents(fileName: fileName(of: $0)) },
      "properties": ["template-rendering-intent": isTemplate ? "template" : "original"],
    ])
  }

  /// Returns a file name that follows Apple's convention, such as `ada.png` or `ada@2x.png`.
  func fileName(of image: AssetCatalog.Image) -> String {
    let scale = image.scale ?? 1
    return "\(name)\(image.isDark ? "_dark" : "")\(scale == 1 ? "" : "@\(scale)x").png"
  }
}

extension AssetCatalog.Image {
  fileprivate func contents(fileName: String) -> AssetCatalog.Contents {
    var members: AssetCatalog.Contents = ["filename": fileName]
    if let scale { members["scale"] = "\(scale)x" }
    if let cap {
      let center: AssetCatalog.Contents = ["mode": "stretch", "width": 1, "height": 1]
      let insets = ["top": cap, "left": cap, "bottom": cap, "right": cap]
      let resizing: AssetCatalog.Contents = [
        "mode": "9-part", "center": center, "cap-insets": insets,
      ]
      members["resizing"] = resizing
    }
    return AssetCatalog.item(members, isDark: isDark)
  }
}

extension AssetCatalog.ColorSet {
  var contents: AssetCatalog.Contents {
    var colors = [AssetCatalog.item(["color": light.contents], isDark: false)]
    if let dark { colors.append(AssetCatalog.item(["color": dark.contents], isDark: true)) }
    return AssetCatalog.contents(["colors": colors])
  }
}

extension Color {
  /// The colour, with hexadecimal channels as in Xcode's output, to avoid rounding.
  ///
  /// Alpha is a fraction; three decimals are enough to distinguish all 256 values.
  fileprivate var contents: AssetCatalog.Contents {
    func channel(_ value: UInt8) -> String { "0x" + Hex.text(of: [value], .upper) }
    let thousandths = (Int(alpha) * 1000 + 127) / 255
    let fraction = "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    let components = [
      "red": channel(red), "green": channel(green), "blue": channel(blue), "alpha": fraction,
    ]
    return ["color-space": "srgb", "components": components]
  }
}

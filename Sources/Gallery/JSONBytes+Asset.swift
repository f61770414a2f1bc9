import Plan
import Recipes
import Store

extension JSONBytes {
  /// An image, as all files for programs tell of it.
  ///
  /// - Parameters:
  ///   - asset: The image.
  ///   - format: Of its file.
  ///   - scale: Pixels a point.
  ///   - quality: What a limit of bytes led to.
  ///   - sheet: Its number among the sheets of a style.
  ///   - writeInset: Writes the key and the value of the inset, if it has one.
  mutating func object(
    of asset: Asset, as format: OutputFormat = .png, scale: Double, quality: Int? = nil,
    sheet: Int? = nil, inset writeInset: (inout JSONBytes) -> Void = { _ in }
  ) {
    object { json in
      json.key("bytes")
      json.number(Int(asset.bytes))
      json.key("format")
      json.string(format.rawValue)
      json.key("height")
      json.number(Int(asset.height))
      writeInset(&json)
      json.key("path")
      json.string(asset.path(as: format.fileExtension))
      if let quality {
        json.key("quality")
        json.number(quality)
      }
      json.key("scale")
      json.number(scale)
      json.key("sha256")
      json.string(asset.digest.hex)
      if let sheet {
        json.key("sheet")
        json.number(sheet)
      }
      json.key("width")
      json.number(Int(asset.width))
    }
  }
}

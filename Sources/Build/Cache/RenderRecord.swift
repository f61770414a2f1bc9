import Bytes
package import Plan
package import Recipes

/// `renders`: the image that a render key stands for, or why the bytes give none.
package enum RenderRecord {
  /// A new form of a record is a new number; an unknown number means that the record is not used.
  private enum Tag {
    // 0 and 2 were images with less to tell.
    static let rejection: UInt8 = 1
    static let image: UInt8 = 3
  }

  package static func bytes(of render: Result<Asset, Rejection>) -> [UInt8] {
    var writer = ByteWriter()
    switch render {
    case .success(let asset):
      writer.write(Tag.image)
      writer.write(asset.digest)
      writer.write(asset.width)
      writer.write(asset.height)
      writer.write(asset.bytes)
      let metadata = asset.metadata.bytes
      // Eight bytes of length: what older builds have rendered stays readable.
      writer.write(UInt64(metadata.count))
      writer.write(raw: metadata)
    case .failure(let rejection):
      writer.write(Tag.rejection)
      writer.write(rejection)
    }
    return writer.bytes
  }

  /// The format is that of the recipe, which is a part of the key.
  package static func render(
    of bytes: [UInt8], as format: OutputFormat = .png
  ) -> Result<Asset, Rejection>? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      switch try reader.read(UInt8.self) {
      case Tag.image:
        let digest = try reader.readDigest()
        let (width, height) = (try reader.read(Int32.self), try reader.read(Int32.self))
        let size = try reader.read(Int64.self)
        let count = Int(clamping: try reader.read(UInt64.self))
        return RenderMetadata(try reader.read(count: count)).map {
          .success(
            Asset(
              digest: digest, format: format, width: width, height: height, bytes: size,
              metadata: $0))
        }
      case Tag.rejection: return .failure(try reader.readRejection())
      default: return nil
      }
    }
  }
}

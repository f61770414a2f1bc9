import Bytes
import Files
package import Plan
package import Recipes
import Store

/// A file's stamp and digest when it was last hashed, as stored in the `stamps` table.
struct StampRecord: Hashable {
  var stamp: FileStamp
  var digest: Digest
  /// The digest of the last usable picture at this path.
  var good: Digest?

  static func record(of bytes: [UInt8]) -> Self? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      Self(
        stamp: try reader.readStamp(), digest: try reader.readDigest(),
        good: reader.isAtEnd ? nil : try reader.readDigest())
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(stamp)
    writer.write(digest)
    if let good { writer.write(good) }
    return writer.bytes
  }
}

/// The digests of an output's sources, remote lists and embedded images, kept in the `meta` table.
enum ShownParts {
  static func put(_ digests: [Digest], for output: Folder, in index: Index) throws {
    try index.put(.meta, key(output), digests.flatMap(\.bytes))
  }

  static func get(for output: Folder, in index: Index) throws -> Set<Digest>? {
    try index.get(.meta, key(output)).map { bytes in
      Set(bytes.chunks(of: Digest.byteCount).compactMap { Digest(bytes: Array($0)) })
    }
  }

  private static func key(_ output: Folder) -> String {
    "parts of \(Inputs.fromRoot(output.path))"
  }
}

/// An inspection's result, stored in the `facts` table under the digest of the inspected bytes.
package enum InspectionRecord {
  /// Increase this whenever a code change may change the inspection result for the same bytes.
  static let revision: UInt8 = 5

  package static func bytes(of facts: Result<Inspection, Rejection>) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(revision)
    switch facts {
    case .success(let inspection):
      writer.write(UInt8(0))
      writer.write(UInt32(inspection.size.width))
      writer.write(UInt32(inspection.size.height))
      writer.write(UInt8(inspection.orientation))
      writer.write(UInt32(inspection.frames))
      writer.write(UInt8(inspection.isCut ? 1 : 0))
      writer.write(inspection.format.rawValue)
    case .failure(let rejection):
      writer.write(UInt8(1))
      writer.write(rejection)
    }
    return writer.bytes
  }

  /// Decodes a record; `ofAnyRevision` allows old revisions, for pictures whose bytes are lost.
  package static func facts(
    of bytes: [UInt8], ofAnyRevision: Bool = false
  ) -> Result<Inspection, Rejection>? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      let written = try reader.read(UInt8.self)
      guard written == revision || ofAnyRevision else { return nil }
      switch try reader.read(UInt8.self) {
      case 0:
        let size = PixelSize(
          width: Int(try reader.read(UInt32.self)), height: Int(try reader.read(UInt32.self)))
        let orientation = Int(try reader.read(UInt8.self))
        let frames = Int(try reader.read(UInt32.self))
        let cut = try written >= 5 ? reader.read(UInt8.self) : 0
        let format = Inspection.Format(rawValue: try reader.readText())
        // Validate the values, because the record may come from another machine.
        guard let format, InspectionLimits.standard.allow(size, format), cut < 2,
          (1...8).contains(orientation)
        else { return nil }
        return .success(
          Inspection(
            format: format, size: size, orientation: orientation, frames: frames, isCut: cut == 1))
      case 1: return .failure(try reader.readRejection())
      default: return nil
      }
    }
  }
}

/// The image for a render key, or the reason for its rejection, stored in the `renders` table.
package enum RenderRecord {
  /// Each new record layout gets a new number; records with unknown numbers are ignored.
  private enum Tag {
    // Older versions used 0 and 2 for images without metadata, and 1 for rejections.
    static let image: UInt8 = 3
    static let rejection: UInt8 = 4
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
      // Write an 8-byte length, as older versions did, so that their records stay readable.
      writer.write(UInt64(metadata.count))
      writer.write(raw: metadata)
    case .failure(let rejection):
      writer.write(Tag.rejection)
      writer.write(rejection)
    }
    return writer.bytes
  }

  /// Decodes a record; the record does not contain the format, which is part of the render key.
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

extension ByteWriter {
  mutating func write(_ digest: Digest) { write(raw: digest.bytes) }

  mutating func write(_ stamp: FileStamp) {
    write(word: stamp.inode)
    for number in [stamp.size, stamp.modified, stamp.changed] {
      write(word: UInt64(bitPattern: number))
    }
  }

  mutating func write(_ rejection: Rejection) {
    write(rejection.reason.rawValue)
    write(rejection.detail)
  }
}

extension ByteReader {
  mutating func readDigest() throws(Malformed) -> Digest {
    guard let digest = Digest(bytes: Array(try read(count: Digest.byteCount))) else {
      throw Malformed()
    }
    return digest
  }

  mutating func readStamp() throws(Malformed) -> FileStamp {
    FileStamp(
      inode: try readWord(), size: Int64(bitPattern: try readWord()),
      modified: Int64(bitPattern: try readWord()), changed: Int64(bitPattern: try readWord()))
  }

  mutating func readRejection() throws(Malformed) -> Rejection {
    Rejection(Reason(rawValue: try readText()), try readText())
  }
}

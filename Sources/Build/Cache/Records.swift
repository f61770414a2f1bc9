import Bytes
import Files
import Plan
package import Recipes
import Store

/// `stamps`: a path's stamp when it was last hashed, and the digest of its bytes then.
struct StampRecord: Hashable {
  var stamp: FileStamp
  var digest: Digest

  init(stamp: FileStamp, digest: Digest) {
    self.stamp = stamp
    self.digest = digest
  }

  init?(_ bytes: [UInt8]) {
    var reader = RecordParser(bytes)
    guard let stamp = reader.readStamp(), let digest = reader.readDigest(), reader.isAtEnd else {
      return nil
    }
    self.init(stamp: stamp, digest: digest)
  }

  var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.write(stamp)
    writer.write(digest)
    return writer.bytes
  }
}

/// `meta`: what an output is made of beside its own files, by digest: sources that are pictures, and
/// images that stand in a file with others.
enum ShownParts {
  static func put(_ digests: [Digest], for output: Folder, in index: Index) throws {
    try index.put(.meta, key(output), digests.flatMap(\.bytes))
  }

  /// Nil when nobody has written it down.
  static func get(for output: Folder, in index: Index) throws -> Set<Digest>? {
    try index.get(.meta, key(output)).map { bytes in
      Set(Chunks(of: bytes, size: Digest.byteCount).compactMap { Digest(bytes: Array($0)) })
    }
  }

  private static func key(_ output: Folder) -> String {
    "parts of \(Inputs.fromRoot(output.path))"
  }
}

/// `facts`: what the inspection of some bytes came to, under their digest.
package enum InspectionRecord {
  /// Raised whenever an inspection of the same bytes can come to something else.
  static let revision: UInt8 = 2

  package static func bytes(of facts: Result<Inspection, Rejection>) -> [UInt8] {
    var writer = RecordWriter()
    writer.write(revision)
    switch facts {
    case .success(let inspection):
      writer.write(UInt8(0))
      writer.write(UInt32(inspection.size.width))
      writer.write(UInt32(inspection.size.height))
      writer.write(UInt8(inspection.orientation))
      writer.write(UInt32(inspection.frames))
      writer.write(inspection.format.rawValue)
    case .failure(let rejection):
      writer.write(UInt8(1))
      writer.write(rejection)
    }
    return writer.bytes
  }

  package static func facts(of bytes: [UInt8]) -> Result<Inspection, Rejection>? {
    var reader = RecordParser(bytes)
    guard reader.read(UInt8.self) == revision else { return nil }
    switch reader.read(UInt8.self) {
    case 0:
      guard let width = reader.read(UInt32.self), let height = reader.read(UInt32.self),
        let orientation = reader.read(UInt8.self), let frames = reader.read(UInt32.self),
        let name = reader.readText(), let format = Inspection.Format(rawValue: name),
        reader.isAtEnd
      else { return nil }
      let size = PixelSize(width: Int(width), height: Int(height))
      return .success(
        Inspection(
          format: format, size: size, orientation: Int(orientation), frames: Int(frames)))
    case 1:
      guard let rejection = reader.readRejection(), reader.isAtEnd else { return nil }
      return .failure(rejection)
    default:
      return nil
    }
  }
}

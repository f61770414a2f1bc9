import Files
import Foundation
import Imaging
import Store

/// What pictures are made with beside their sources: fonts, a face detector's data, badges.
///
/// Read once, before the first worker starts, and named by digest in recipes and sources: a key
/// changes when a font does. Only what this manifest needs is read.
struct Provisions: Sendable {
  /// For the workers, by the digest of the bytes in hex.
  private(set) var supplies: [String: Data] = [:]
  /// What initials can be written in.
  var fonts = FontChain()
  /// The pictures of decorations.
  var badges = Badges()
  /// The name of a face detector's data; nil where this machine has none, or nobody asks for it.
  var detector: String?

  /// - Throws: `BuildFailure.usage` for a file that the manifest names and that cannot be used.
  init(_ manifest: Manifest, _ place: Workplace, inputs: inout Inputs) throws {
    try readFonts(manifest, place, inputs: &inputs)
    try readBadges(of: manifest, beneath: place.manifestFolder, inputs: &inputs)
    if manifest.styles.contains(where: \.looksForFaces) {
      detector = readDetector(inputs: &inputs)
    }
  }

  /// Reads a file of this machine by its absolute path; nil when there is none.
  mutating func supply(file path: String, upTo limit: Int, inputs: inout Inputs) -> String? {
    let moment = FileStamp.now()
    do throws(FileError) {
      let root = try Folder(opening: "/")
      let file = try root.open(beneath: Inputs.fromRoot(path), allowOutside: true)
      let bytes = try file.read(upTo: limit)
      inputs.add(path, file.stamp, takenAt: moment)
      return supply(bytes)
    } catch {
      inputs.add(path, nil)
      return nil
    }
  }

  /// - Returns: The name under which workers know the bytes.
  mutating func supply(_ bytes: Data) -> String {
    let name = Digest(of: bytes).hex
    supplies[name] = bytes
    return name
  }
}

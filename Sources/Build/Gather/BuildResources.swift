import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Workers

/// Inputs other than the sources: fonts, the face detector's data and badges.
///
/// Recipes and sources refer to these inputs by digest, so a changed input changes the render keys.
struct BuildResources: Sendable {
  private(set) var supplies: [String: Data] = [:]
  private var room = WorkerLimits.suppliesBytes
  var fonts = FontChain()
  var badges: [SourcePath: Badge] = [:]
  var draws: Bool { badges.values.contains { $0.inspection.format == .svg } }
  /// The digest of the face detector's data; nil if the data is missing or unused.
  var detector: String?

  init(_ manifest: Manifest, _ context: BuildContext, inputs: inout Inputs) throws {
    if manifest.styles.contains(where: \.looksForFaces) {
      detector = supply(
        file: context.options.faceDetector, upTo: FaceDetector.limit, inputs: &inputs,
        sound: { Digest(of: $0).hex == FaceDetector.digest || Cascade(reading: $0) != nil })
    }
    try readFonts(manifest, context, inputs: &inputs)
    // Read badges last, so that the other resources take precedence if the limit is reached.
    try readBadges(of: manifest, beneath: context.manifestFolder, inputs: &inputs)
  }

  /// Reads a file for the workers and returns its digest, or nil if the file is unusable.
  mutating func supply(
    file path: String, upTo limit: Int, inputs: inout Inputs,
    sound: (Data) -> Bool = { _ in true }
  ) -> String? {
    do throws(FileError) {
      let bytes = try Folder(opening: "/").read(
        "/" + Inputs.fromRoot(path), allowOutside: true, upTo: limit, noting: &inputs)
      return sound(bytes) ? supply(bytes) : nil
    } catch {
      inputs.add(path, nil)
      return nil
    }
  }

  /// Adds data for the workers and returns its digest, or nil if the size limit is exceeded.
  mutating func supply(_ bytes: Data) -> String? {
    let name = Digest(of: bytes).hex
    guard supplies[name] == nil else { return name }
    guard bytes.count <= room else { return nil }
    room -= bytes.count
    supplies[name] = bytes
    return name
  }
}

extension Folder {
  func read(
    _ path: String, allowOutside: Bool, upTo limit: Int, noting inputs: inout Inputs
  ) throws(FileError) -> Data {
    let moment = FileStamp.now()
    let file = try open(beneath: path, allowOutside: allowOutside)
    let bytes = try file.read(upTo: limit)
    inputs.add(absolute(path), file.stamp, takenAt: moment)
    return bytes
  }

  func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(self.path)/\(path)" }
}

package enum FaceDetector {
  package static let debianPackage = "opencv-data"
  static let limit = 4 << 20
  /// The digest of the data file in Debian 12 and 13.
  ///
  /// A file with this digest is not parsed, which saves a third of the run time of `check`.
  fileprivate static let digest = "6281df13459cc218ff047d02b2ae3859b12ff14a93ffe8952f7b33fad7b9697b"

  /// Whether the data can be parsed; nil if the file is missing.
  package static func isUsable(at path: String = BuildOptions.debianFaceDetector) -> Bool? {
    let bytes = try? Folder(opening: "/").open(
      beneath: Inputs.fromRoot(path), allowOutside: true
    ).read(upTo: limit)
    return bytes.map { Cascade(reading: $0) != nil }
  }
}

extension BuildResources {
  private static let badgeLimit = 1 << 20

  /// Reads every badge and mask once, and throws all errors together.
  mutating func readBadges(
    of manifest: Manifest, beneath folder: Folder, inputs: inout Inputs
  ) throws {
    var diagnostics = Diagnostics()
    var files = manifest.styles.compactMap(\.mask).map { ("mask", $0.path, $0.declared) }
    for decoration in manifest.styles.flatMap(\.decorations) {
      guard case .badge(let path, let declared) = decoration.content else { continue }
      files.append(("badge", path, declared))
    }
    for (kind, path, declared) in files {
      do throws(Rejection) {
        if badges[path] == nil {
          badges[path] = try readBadge(
            path.text, beneath: folder, allowOutside: manifest.allowOutside, inputs: &inputs)
        }
        let format = badges[path]?.inspection.format
        if kind == "mask", format != .svg, format != .png {
          throw Rejection(.unsupportedFormat, "only an SVG or PNG file can be a mask")
        }
      } catch {
        diagnostics.add(
          Diagnostic(
            .error, .badgeUnreadable, "cannot use the \(kind) \(path.text.shortened)",
            at: declared.location, path: declared.path, note: error.detail,
            help: error.reason == .tooManyPixels
              ? "save it as SVG, or reduce it to at most 2000 × 2000 pixels"
              : error.reason.help ?? "badge and mask paths are relative to the manifest"))
        if error.reason == .noRoom { break }
      }
    }
    guard diagnostics.isEmpty else { throw BuildFailure.usage(diagnostics) }
  }

  private mutating func readBadge(
    _ path: String, beneath folder: Folder, allowOutside: Bool, inputs: inout Inputs
  ) throws(Rejection) -> Badge {
    let bytes: Data
    do throws(FileError) {
      bytes = try folder.read(
        path, allowOutside: allowOutside, upTo: Self.badgeLimit, noting: &inputs)
    } catch {
      throw error.reason == .tooLarge
        ? Rejection(.tooManyBytes, "it is larger than \(Self.badgeLimit >> 20) MiB")
        : FileSource.rejection(of: error)
    }
    let inspection = try Inspection(inspecting: bytes)
    // Limit the pixels, because a job's memory estimate does not include badges.
    guard inspection.format == .svg || inspection.size.width * inspection.size.height <= 4_000_000
    else { throw Rejection(.tooManyPixels, "it has more than 4 million pixels") }
    guard let digest = supply(bytes) else {
      throw Rejection(
        .noRoom,
        "badges, fonts and the face detector's data are limited to "
          + "\(WorkerLimits.suppliesBytes >> 20) MiB in total")
    }
    return (digest, inspection)
  }
}

extension Reason {
  fileprivate static let noRoom = Reason(rawValue: "no-room")
}

import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store
import Workers

extension BuildResources {
  /// What recipes can name.
  var forStyles: StyleResources { StyleResources(badges: badges, detector: detector) }

  /// The largest file that is read as a badge: 1 MiB.
  private static let badgeLimit = 1 << 20

  /// Reads every badge once.
  ///
  /// - Throws: `BuildFailure.usage` with all badges that cannot be used.
  mutating func readBadges(
    of manifest: Manifest, beneath folder: Folder, inputs: inout Inputs
  ) throws {
    var diagnostics = Diagnostics()
    for decoration in manifest.styles.flatMap(\.decorations) {
      guard case .badge(let path, let declared) = decoration.content, badges[path] == nil
      else { continue }
      do throws(Rejection) {
        badges[path] = try readBadge(
          path.text, beneath: folder, allowOutside: manifest.allowOutside, inputs: &inputs)
      } catch {
        diagnostics.add(
          Diagnostic(
            .error, .badgeUnreadable, "cannot use the badge \(path.text.shortened)",
            at: declared.location, path: declared.path, note: error.detail,
            help: error.reason.help ?? "badges are pictures beside the manifest"))
        // There is no room for the others either.
        if error.reason == .noRoom { break }
      }
    }
    guard diagnostics.isEmpty else { throw BuildFailure.usage(diagnostics) }
  }

  private mutating func readBadge(
    _ path: String, beneath folder: Folder, allowOutside: Bool, inputs: inout Inputs
  ) throws(Rejection) -> Badge {
    let moment = FileStamp.now()
    let bytes: Data
    do throws(FileError) {
      let file = try folder.open(beneath: path, allowOutside: allowOutside)
      bytes = try file.read(upTo: Self.badgeLimit)
      let whole = path.hasPrefix("/") ? path : "\(folder.path)/\(path)"
      inputs.add(whole, file.stamp, takenAt: moment)
    } catch {
      throw error.reason == .tooLarge
        ? Rejection(.tooManyBytes, "it is larger than \(Self.badgeLimit >> 20) MiB")
        : FileSource.rejection(of: error)
    }
    let inspection = try Inspection(inspecting: bytes)
    guard let digest = supply(bytes) else {
      throw Rejection(
        .noRoom,
        "badges, fonts and the data of a detector have at most "
          + "\(WorkerLimits.suppliesBytes >> 20) MiB together")
    }
    return Badge(digest: digest, inspection: inspection)
  }
}

extension Reason {
  /// More resources than workers can start with.
  fileprivate static let noRoom = Reason(rawValue: "no-room")
}

import Bytes
import Lettering
import Magick
import Synchronization

/// The start of ImageMagick in a process that may decode pictures.
package enum ImagingRuntime {
  /// Who this process is; the build itself is neither.
  package enum Role: Hashable, Sendable {
    case worker
    case test
  }

  /// Why pictures must not be decoded here.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Says that this process decodes pictures from strangers, or is a test.
  package static func declare(_ role: Role) {
    declared.withLock { $0 = role }
  }

  /// Starts ImageMagick under our policy, proves the policy and loads all coders.
  ///
  /// Only the first call does anything; later ones return or throw what it did. Afterwards
  /// nothing is opened any more, so a worker can lock itself in.
  package static func start() throws(Refusal) {
    // A decoder in the build process would be the one thing that the design forbids.
    precondition(
      declared.withLock { $0 != nil }, "pictures are decoded in workers and tests only")
    try outcome.get()
  }

  private static let declared = Mutex<Role?>(nil)

  private static let outcome = Result { () throws(Refusal) in
    do throws(MagickRefusal) {
      try MagickRuntime.start()
    } catch {
      throw Refusal(reason: error.reason)
    }
    try WarmUp.run()
  }

  /// What else than source and recipe decides the bytes: our revision, the codecs and what
  /// draws letters.
  package static func fingerprint() -> String {
    let libraries =
      MagickRuntime.versions + ["zlib \(Zlib.version)"] + LetteringVersions.all
    return "sitegen \(Recipe.revision); \(libraries.joined(separator: "; "))"
  }
}

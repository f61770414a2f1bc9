import CMagickWand
import Foundation
import Synchronization

/// The reason why ImageMagick cannot be trusted in this process.
package struct MagickRefusal: Error, Hashable, Sendable {
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

package enum MagickRuntime {
  /// Starts ImageMagick with sitegen's policy and limits; later calls have the same result.
  ///
  /// Before ImageMagick reads the environment, `start` removes the caller's `MAGICK_` variables and
  /// hides the configuration in the home folder.
  package static func start() throws(MagickRefusal) {
    try outcome.get()
  }

  /// Traps if the policy is not active, because ImageMagick would use the system's policy instead.
  static func requireStarted() {
    precondition(hasStarted.load(ordering: .relaxed), "ImageMagick has not been started")
  }

  private static let outcome = Result { () throws(MagickRefusal) in try begin() }
  private static let hasStarted = Atomic(false)

  private static func begin() throws(MagickRefusal) {
    let folder = try PrivateFolder(preferring: ProcessInfo.processInfo.environment["TMPDIR"])
    try folder.write(Policy.xml, to: "policy.xml")
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("MAGICK_") {
      unsafe unsetenv(name)
    }
    unsafe setenv("MAGICK_CONFIGURE_PATH", folder.path, 1)
    unsafe setenv("MAGICK_TMPDIR", folder.path, 1)
    // Even root cannot create folders in `/dev/null`, so libraries cannot write to the home folder.
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
      unsafe setenv(name, "/dev/null", 1)
    }
    MagickWandGenesis()
    sitegen_exit_at_fatal_errors()
    // Check the limits first: the calls below set them again, which would hide a broken policy.
    try Canary.expectLimits()
    for (_, resource, limit) in Policy.limits { _ = MagickSetResourceLimit(resource, limit) }
    hasStarted.store(true, ordering: .relaxed)
    do {
      try Canary.check()
    } catch {
      hasStarted.store(false, ordering: .relaxed)
      throw error
    }
  }
}

extension MagickRuntime {
  package static var versions: [String] {
    var (number, depth) = (0, 0)
    var versions = [
      unsafe String(cString: MagickGetVersion(&number)),
      unsafe String(cString: MagickGetQuantumDepth(&depth)),
    ]
    let exception = unsafe AcquireExceptionInfo()
    for coder in Policy.coders {
      // `info` points into ImageMagick's table, which is never freed.
      guard let info = unsafe GetMagickInfo(coder, exception),
        let version = unsafe info.pointee.version
      else { continue }
      unsafe versions.append("\(coder) \(String(cString: version))")
    }
    _ = unsafe DestroyExceptionInfo(exception)
    return versions
  }
}

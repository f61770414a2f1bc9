import CMagickWand
import Foundation
import Synchronization

/// Why ImageMagick must not be trusted in this process.
package struct MagickRefusal: Error, Hashable, Sendable {
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// ImageMagick's start, once in a process.
package enum MagickRuntime {
  /// Starts ImageMagick under our own policy and limits; later calls return the first outcome.
  ///
  /// The environment is set before the first call into ImageMagick, which reads it then: no
  /// variable of the caller and no configuration in a home folder has a say. The corresponding C
  /// function is `MagickWandGenesis`.
  package static func start() throws(MagickRefusal) {
    try outcome.get()
  }

  /// Traps when a canvas is made before the policy stands: ImageMagick would use the system's.
  static func requireStarted() {
    precondition(hasStarted.load(ordering: .relaxed), "ImageMagick has not been started")
  }

  /// A `static let` is made once, whatever the number of threads that ask.
  private static let outcome = Result { () throws(MagickRefusal) in try begin() }
  private static let hasStarted = Atomic(false)

  private static func begin() throws(MagickRefusal) {
    let folder = try PrivateFolder(
      preferring: ProcessInfo.processInfo.environment["TMPDIR"])
    try folder.write(Policy.xml, to: "policy.xml")
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("MAGICK_") {
      unsafe unsetenv(name)
    }
    unsafe setenv("MAGICK_CONFIGURE_PATH", folder.path, 1)
    unsafe setenv("MAGICK_TMPDIR", folder.path, 1)
    // Nobody can make a folder below a device, not even root: no library keeps anything at home.
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
      unsafe setenv(name, "/dev/null", 1)
    }
    MagickWandGenesis()
    // What the policy alone has set: below, a second lock would hide what it has not.
    try Canary.expectLimits()
    // No time limit: it exits the process.
    let limits: [(ResourceType, UInt64)] = [
      (ThreadResource, 1), (MemoryResource, Policy.memory), (MapResource, 0), (DiskResource, 0),
      (WidthResource, Policy.side), (HeightResource, Policy.side),
      (ListLengthResource, Policy.frames),
    ]
    for (resource, limit) in limits {
      _ = MagickSetResourceLimit(resource, limit)
    }
    hasStarted.store(true, ordering: .relaxed)
    do {
      try Canary.check()
    } catch {
      hasStarted.store(false, ordering: .relaxed)
      throw error
    }
  }
}

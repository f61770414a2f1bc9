package import Bytes
package import Foundation

/// A place that machines share: objects by digest, named as in Bazel's cache protocol.
///
/// Whoever can write there decides what stands in it, so whoever reads checks everything. Threads may
/// share one.
package protocol ObjectStore: Sendable {
  /// As it was written, without secrets.
  var address: String { get }

  /// Nil where there is none.
  func get(_ object: StoredObject) throws(ObjectStoreFailure) -> Data?

  func has(_ object: StoredObject) throws(ObjectStoreFailure) -> Bool

  /// Equal names have equal bytes, so of two writers the last one counts.
  func put(_ bytes: Data, as object: StoredObject) throws(ObjectStoreFailure)
}

/// The name of an object.
package struct StoredObject: Hashable, Sendable {
  package enum Shelf: String, CaseIterable, Sendable {
    /// What was made, by what it was made from: `ActionResult`s.
    case ac
    /// Bytes by their own digest.
    case cas
  }

  package var shelf: Shelf
  package var key: Digest

  package static func result(_ key: Digest) -> StoredObject { StoredObject(shelf: .ac, key: key) }
  package static func bytes(_ key: Digest) -> StoredObject { StoredObject(shelf: .cas, key: key) }

  /// The largest object; a larger one is damage.
  package static let sizeLimit = 128 << 20
}

/// Why a store could not be asked.
package struct ObjectStoreFailure: Error, Hashable {
  package var words: String
  /// Asking later would bring the same.
  package var isLasting: Bool
  /// What the jail of the process that asks lacks, though it is required.
  package var lack: String?

  package init(_ words: String, isLasting: Bool) {
    self.words = words
    self.isLasting = isLasting
  }
}

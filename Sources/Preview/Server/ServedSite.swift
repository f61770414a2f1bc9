package import Foundation

/// What a server serves: a folder, and whoever knows more than the folder has.
package struct ServedSite: Sendable {
  /// The folder; it need not exist yet.
  package var folder: String
  /// Asked for a path that the folder does not have: relative, clean, without a leading slash.
  ///
  /// It may take its time, and is never called on a thread that serves others.
  package var standIn: @Sendable (_ path: String) -> StandIn?

  package init(folder: String, standIn: @escaping @Sendable (String) -> StandIn? = { _ in nil }) {
    self.folder = folder
    self.standIn = standIn
  }
}

/// A file that is not in the folder: no longer, or not yet.
package struct StandIn: Sendable {
  package var bytes: Data
  /// The path stands for these bytes for ever, so browsers may keep them.
  package var isForEver: Bool

  package init(bytes: Data, isForEver: Bool) {
    self.bytes = bytes
    self.isForEver = isForEver
  }
}

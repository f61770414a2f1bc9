package import Foundation

/// A folder that `sitegen build` turns into a gallery: texts, and pictures still to be drawn.
package struct SampleSite: Sendable {
  /// Runs the body for every number below the count, in any order, perhaps at the same time.
  package typealias ForEach =
    @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Void

  /// Path to text; paths are relative to the folder.
  package var texts: [(path: String, text: String)]
  package var pictureCount: Int
  /// Made when it is its turn: a large site is never in memory.
  package var picture: @Sendable (Int) -> SamplePicture

  /// Pictures first, texts last: a folder with a manifest is complete.
  ///
  /// - Parameters:
  ///   - folder: made with its parents; nothing in it is removed.
  ///   - encoder: makes the files.
  ///   - forEach: how the pictures are spread over threads.
  ///   - didWrite: called after each picture.
  /// - Throws: what the encoder throws, or the error of a file.
  package func write(
    to folder: URL, encoder: PictureEncoder, forEach: ForEach,
    didWrite: @escaping @Sendable () -> Void
  ) throws {
    let picture = picture
    let folders = Set(
      (0..<pictureCount).map { Self.parent(of: picture($0).path) }
        + texts.map { Self.parent(of: $0.path) })
    for path in folders.sorted() {
      try FileManager.default.createDirectory(
        at: folder.appending(path: path), withIntermediateDirectories: true)
    }
    try forEach(pictureCount) { index in
      let picture = picture(index)
      try picture.encoded(by: encoder).write(to: folder.appending(path: picture.path))
      didWrite()
    }
    for (path, text) in texts {
      try Data(text.utf8).write(to: folder.appending(path: path))
    }
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}

package import Files
package import Foundation
package import Workers

/// A folder that `sitegen build` turns into a gallery: texts, and pictures still to be drawn.
package struct SampleSite: Sendable {
  /// Runs the body for every number below the count, in any order, perhaps at the same time.
  package typealias ForEach =
    @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Void

  /// Paths are relative to the folder.
  package let texts: [(path: String, text: String)]
  package let pictureCount: Int
  /// Describes one picture at a time, so a large site is never in memory.
  package let picture: @Sendable (Int) -> SamplePicture

  /// Writes pictures first and texts last, so that a folder with a manifest is complete.
  ///
  /// `encode` has a worker make a file: encoders are C code.
  package func write(
    to folder: Folder, encode: @escaping @Sendable (RenderRequest) throws -> Data,
    forEach: ForEach
  ) throws {
    let picture = picture
    try forEach(pictureCount) { index in
      let picture = picture(index)
      try folder.write(try picture.file(encode), to: picture.path)
    }
    for (path, text) in texts { try folder.write(Array(text.utf8), to: path) }
  }
}

package import Files

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
  ///   - folder: nothing in it is removed.
  ///   - encoder: makes the files.
  ///   - forEach: how the pictures are spread over threads.
  /// - Throws: what the encoder throws, or a `FileError`.
  package func write(
    to folder: Folder, encoder: PictureEncoder, forEach: ForEach
  ) throws {
    let picture = picture
    try forEach(pictureCount) { index in
      let picture = picture(index)
      try folder.write(try picture.encoded(by: encoder), to: picture.path)
    }
    for (path, text) in texts {
      try folder.write(Array(text.utf8), to: path)
    }
  }
}

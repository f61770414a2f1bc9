import Bytes
import Recipes

extension ByteReader {
  /// Reads what can have been found out while a recipe was followed, and nothing else.
  mutating func readMetadata(of recipe: Recipe) throws(Malformed) -> RenderMetadata {
    guard let metadata = RenderMetadata(try readCounted()) else { throw Malformed() }
    let (frame, encoding) = (recipe.frame, recipe.encoding)
    let isLargest = frame.box == frame.base
    guard metadata.placeholder == nil || isLargest,
      !metadata.ignoresProfile || isLargest,
      metadata.focus == nil || (isLargest && frame.finder != nil),
      metadata.quality == nil || (encoding.limit != nil && encoding.quality != nil)
    else { throw Malformed() }
    return metadata
  }
}

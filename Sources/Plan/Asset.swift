package import Bytes
package import Recipes

/// One finished image: the digest of its bytes, its format, its size in pixels and in bytes.
package struct Asset: Hashable, Sendable {
  package var digest: Digest
  package var format: OutputFormat
  package var width: Int32
  package var height: Int32
  package var bytes: Int64
  private var found: Found?

  /// Apart, since most images have nothing of it.
  private indirect enum Found: Hashable, Sendable { case metadata(RenderMetadata) }

  package init(
    digest: Digest, format: OutputFormat, width: Int32, height: Int32, bytes: Int64,
    metadata: RenderMetadata = RenderMetadata()
  ) {
    self.digest = digest
    self.format = format
    self.width = width
    self.height = height
    self.bytes = bytes
    if metadata != RenderMetadata() { found = .metadata(metadata) }
  }

  /// What was found out while it was made.
  package var metadata: RenderMetadata {
    if case .metadata(let metadata) = found { metadata } else { RenderMetadata() }
  }

  /// Where it is in `output`.
  package var path: String { digest.path(as: format) }
}

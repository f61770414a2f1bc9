package import Recipes

/// What a render key stands for: an image in the store, and what was found out about it.
package struct Render: Hashable, Sendable {
  package var asset: Asset
  package var metadata: RenderMetadata

  package init(_ asset: Asset, metadata: RenderMetadata = RenderMetadata()) {
    self.asset = asset
    self.metadata = metadata
  }
}

package import Imaging
package import Store

/// One finished image: the digest of its bytes, its size in pixels and in bytes.
package struct Asset: Hashable, Sendable, BitwiseCopyable {
  package var digest: Digest
  package var width: Int32
  package var height: Int32
  package var bytes: Int64

  package init(digest: Digest, width: Int32, height: Int32, bytes: Int64) {
    self.digest = digest
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// Every image that was made or found, by source and style.
package struct RenderedSet: Sendable {
  private struct Slot: Hashable {
    var source: Int
    var style: Int
  }

  private var results: [Slot: Result<[Asset], Rejection>] = [:]

  package init() {}

  /// What became of a style of a source; nil when it was never asked for.
  package subscript(source: Int, style: Int) -> Result<[Asset], Rejection>? {
    get { results[Slot(source: source, style: style)] }
    set { results[Slot(source: source, style: style)] = newValue }
  }

  /// In the order of the style's variants; nil when there are none.
  package func assets(source: Int, style: Int) -> [Asset]? {
    try? self[source, style]?.get()
  }

  /// Why a source cannot be shown in these styles; nil when it can.
  package func rejection(source: Int, styles: [Int]) -> Rejection? {
    for style in styles {
      if case .failure(let rejection) = self[source, style] { return rejection }
    }
    return nil
  }

  /// Makes every style unknown again that has one of these images.
  package mutating func forget(_ lost: Set<Digest>) {
    results = results.filter { _, result in
      guard case .success(let assets) = result else { return true }
      return !assets.contains { lost.contains($0.digest) }
    }
  }
}

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

  private var assets: [Slot: [Asset]] = [:]
  /// Sources that could not be rendered, and why.
  package private(set) var rejections: [Int: Rejection] = [:]

  package init() {}

  /// In the order of the style's variants; nil when the source was rejected or never asked for.
  package func assets(source: Int, style: Int) -> [Asset]? {
    assets[Slot(source: source, style: style)]
  }

  package mutating func add(_ images: [Asset], source: Int, style: Int) {
    assets[Slot(source: source, style: style)] = images
  }

  package mutating func reject(source: Int, _ rejection: Rejection) {
    rejections[source] = rejections[source] ?? rejection
  }

  package mutating func forget(source: Int) {
    rejections[source] = nil
  }
}

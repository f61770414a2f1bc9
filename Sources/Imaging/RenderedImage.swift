package import Foundation

/// A finished file: its bytes and the size that its header states.
package struct RenderedImage: Hashable, Sendable {
  package var bytes: Data
  package var size: PixelSize

  package init(bytes: Data, size: PixelSize) {
    self.bytes = bytes
    self.size = size
  }
}

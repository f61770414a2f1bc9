package import Foundation

/// A finished file: its bytes and the size that its header states.
package struct RenderedImage: Hashable, Sendable {
  package var bytes: Data
  package var size: PixelSize
  package var findings: Findings

  package init(bytes: Data, size: PixelSize, findings: Findings = Findings()) {
    self.bytes = bytes
    self.size = size
    self.findings = findings
  }
}

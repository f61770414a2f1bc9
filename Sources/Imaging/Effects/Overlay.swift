/// Paints over the picture, inside the outline only.
package struct Overlay: Codable, Hashable, Sendable {
  package var fill: Fill

  package init(fill: Fill) {
    self.fill = fill
  }

  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
  }
}

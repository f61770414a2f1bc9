package import Diagnostics
package import Recipes

/// A shadow along one edge of a wide element, drawn as a repeating image one pixel wide.
package struct ShadowStrip: Hashable, Sendable {
  package var name = ""
  package var shadow = Strip(color: .black, radius: 0, offset: 0, height: 1, isAbove: false)
  package var declared: Located
}

package import Diagnostics
package import Recipes

/// A shadow along one edge of something wide: a picture one pixel wide that repeats.
package struct ShadowStrip: Hashable, Sendable {
  /// Where the strip lies, seen from what throws the shadow.
  package enum Edge: String, CaseIterable, Hashable, Sendable {
    case above
    case below
  }

  package var name: String
  package var color: Color
  /// Points: the standard deviation.
  package var radius: Double
  /// Points: how far the shadow is moved down.
  package var offset: Double
  package var edge: Edge
  package var declared: Located

  /// Points until nothing can be seen any more; at least one.
  ///
  /// At three deviations less than half of 1/255 is left. A shadow that lies wholly behind what
  /// throws it has a point that is transparent.
  package var height: Int {
    let reach = 3 * radius + (edge == .below ? offset : -offset)
    return max(1, Int(reach.rounded(.up)))
  }
}

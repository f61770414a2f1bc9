/// One step after the clip.
///
/// A new effect is a file beside this one and a case here.
package enum Effect: Codable, Hashable, Sendable {
  case underlay(Underlay)
  case border(Border)
  case matte(Matte)
}

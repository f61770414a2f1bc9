import Manifest
import Recipes

/// How large pictures of a style are on a page: whole CSS pixels, of the canvas with all its room.
struct PageSize: Sendable {
  let width: Int
  let height: Int

  init(_ style: AvatarStyle, inset: Margins) {
    width = Int(style.width.rounded()) + inset.left + inset.right
    height = Int(style.height.rounded()) + inset.top + inset.bottom
  }
}

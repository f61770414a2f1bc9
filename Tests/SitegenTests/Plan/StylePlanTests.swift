import Imaging
import Sitegen
import Testing

struct StylePlanTests {
  private func plan(_ change: (inout AvatarStyle) -> Void) -> StylePlan {
    var style = AvatarStyle(place: Place(file: "m.yaml"), path: "avatars[0]")
    change(&style)
    return StylePlan(style)
  }

  /// A17: 50 pt with a ring of 2 at 2x is 100 px with a ring of 4.
  @Test func `points become pixels by the scale`() throws {
    let plan = plan {
      ($0.width, $0.height) = (50, 50)
      $0.scales = [2]
      $0.formats = [.png]
      $0.border = [AvatarStyle.Ring(width: 2, color: Color(red: 255, green: 0, blue: 0))]
    }
    let recipe = try #require(plan.picture.first).recipe
    #expect(recipe.frame.box == PixelSize(width: 100, height: 100))
    #expect(
      recipe.effects == [
        .border(Border(width: 4, color: Color(red: 255, green: 0, blue: 0), mode: .over))
      ])
  }

  @Test func `variants come by scale, then in the order of the formats`() {
    let variants = plan { $0.formats = [.webp, .png] }.picture
    #expect(variants.map(\.scale) == [1, 1, 2, 2, 3, 3])
    #expect(variants.map(\.format) == [.webp, .png, .webp, .png, .webp, .png])
  }

  @Test func `every box of a style has the base of its largest`() {
    let frames = plan { $0.scales = [1, 2.5] }.picture.map(\.recipe.frame)
    #expect(Set(frames.map(\.base)) == [PixelSize(width: 160, height: 160)])
    #expect(frames.map(\.box.width) == [64, 64, 160, 160])
  }

  @Test func `what does nothing is not in the recipe`() {
    let plain = plan { $0.background = nil }
    let red = Color(red: 255, green: 0, blue: 0)
    let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    let same: [(inout AvatarStyle) -> Void] = [
      {
        $0.border = [AvatarStyle.Ring(width: 3, color: red)]
        $0.border[0].hidden = true
      },
      { $0.border = [AvatarStyle.Ring(width: 0, color: red)] },
      { $0.border = [AvatarStyle.Ring(width: 3, color: nil)] },
      { $0.border = [AvatarStyle.Ring(width: 3, color: clear)] }, { $0.background = red },
      {
        $0.background = clear
        $0.underlay = true
      }, { $0.name = "other" }, { $0.quality = [.png: 3] },
    ]
    for (index, change) in same.enumerated() {
      let plan = plan(change)
      #expect(plan.picture == plain.picture && plan.color == plain.color, "\(index)")
    }
  }

  /// C9: half a point at 2x would be a pixel, and draws nothing.
  @Test(arguments: [(0.5, 64.0), (64, 0.99)])
  func `a style below a point draws nothing`(width: Double, height: Double) {
    let plan = plan { ($0.width, $0.height, $0.scales) = (width, height, [1, 2, 200]) }
    #expect(plan.picture.isEmpty && plan.color.isEmpty)
  }

  /// A3: a radius is clamped to half the shorter side.
  @Test func `a radius is clamped to half the shorter side`() throws {
    let plan = plan {
      ($0.width, $0.height, $0.scales) = (100, 40, [1])
      $0.shape = .rounded(.points(2000), corners: Set(AvatarStyle.Corner.allCases))
    }
    let outline = try #require(plan.picture.first).recipe.outline
    #expect(
      outline == Outline(topLeft: 20, topRight: 20, bottomRight: 20, bottomLeft: 20))
  }
}

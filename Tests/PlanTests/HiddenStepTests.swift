import SiteSupport

/// Steps whose work another one undoes or does again are in no recipe.
struct HiddenStepTests {
  typealias Change = (inout AvatarStyle) -> Void

  private static let red = Color(red: 255, green: 0, blue: 0)
  private static let blue = Color(red: 0, green: 0, blue: 255)
  private static let glass = Color(red: 255, green: 0, blue: 0, alpha: 128)

  private func areEqual(_ left: @escaping Change, _ right: @escaping Change) throws -> Bool {
    let plans = [left, right].map { change in
      var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
      style.formats = [.png]
      change(&style)
      return StylePlan(style)
    }
    return plans[0] == plans[1]
  }

  /// A shadow lies between the two, so there the underlay is seen.
  @Test func `an underlay on a matte of its colour is not seen`() throws {
    func flat(_ color: Color, underlay: Bool, _ more: @escaping Change = { _ in }) -> Change {
      {
        ($0.background, $0.underlay, $0.opaque) = (color, underlay, true)
        more(&$0)
      }
    }
    let ringed: Change = {
      $0.border = [.init(width: 2, color: Self.glass, mode: .inset, gap: 1)]
      $0.overlay = .solid(Self.glass)
    }
    let shaded: Change = { $0.shadow = .init(color: Self.blue, radius: 2) }
    for more: Change in [{ _ in }, ringed] {
      #expect(
        try areEqual(
          flat(Self.red, underlay: true, more), flat(Self.red, underlay: false, more)))
      #expect(
        try !areEqual(
          flat(Self.glass, underlay: true, more), flat(Self.glass, underlay: false, more)))
    }
    #expect(
      try !areEqual(
        flat(Self.red, underlay: true, shaded), flat(Self.red, underlay: false, shaded)))
    func jpeg(_ underlay: Bool) -> Change {
      { ($0.background, $0.underlay, $0.formats) = (Self.red, underlay, [.jpeg]) }
    }
    #expect(try areEqual(jpeg(true), jpeg(false)))
    #expect(
      try !areEqual(
        { ($0.background, $0.underlay) = (Self.red, true) }, { $0.background = Self.red }))
  }
}

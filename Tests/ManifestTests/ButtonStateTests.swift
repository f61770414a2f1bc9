import SiteSupport

struct ButtonStateTests {
  private func button(_ keys: String) throws -> ButtonStyle {
    let result = try ManifestText(text: "version: 1\nbuttons: [{ name: b, \(keys) }]\n").read()
    return try #require(result.manifest?.buttons.first)
  }

  private func colors(_ colors: ButtonStyle.Colors) -> [String: String] {
    Dictionary(uniqueKeysWithValues: colors.states.map { ($0.state.rawValue, $0.color.css) })
  }

  /// B2: darker in light mode, lighter in dark mode, and the reverse for disabled buttons.
  @Test func `auto derives a shade from the normal colour in the same appearance`() throws {
    let states = "highlighted: auto, selected: auto, focused: auto, disabled: auto"
    let button = try button(
      "normal: \"#3e63dd\", \(states), dark: { normal: \"#ce2c31\", \(states) }")
    // Computed with ColorAide. A step of 0.04 would differ by only 4.6, so `focused` moves by 0.05.
    #expect(
      colors(button.light) == [
        "normal": "#3e63dd", "highlighted": "#2a49c2", "selected": "#182fa7",
        "focused": "#3153cc", "disabled": "#87a8ff",
      ])
    let dark = try #require(button.dark)
    #expect(
      colors(dark) == [
        "normal": "#ce2c31", "highlighted": "#eb4a49", "selected": "#ff6f69",
        "focused": "#e04040", "disabled": "#76000e",
      ])
  }

  /// B2: a missing `highlighted` is treated as `same`, regardless of the other states.
  @Test func `an omitted highlighted state is normal, and other omitted states are unset`() throws {
    let button = try button("normal: \"#3e63dd\", disabled: auto, dark: { normal: black }")
    #expect(button.light.others[.highlighted] == button.light.normal)
    #expect(button.light.others[.selected] == nil && button.light.others[.focused] == nil)
    #expect(button.light.others[.disabled] != button.light.normal)
    #expect(
      button.dark?.others[.highlighted] == Color.black && button.dark?.others[.selected] == nil)
  }

  /// White text is unreadable on lighter shades of this red, so the shades get darker.
  @Test func `states inherited as auto or same are recomputed for the dark appearance`() throws {
    let button = try button(
      "normal: \"#3e63dd\", highlighted: auto, selected: auto, disabled: same, focused: lime, "
        + "title: white, dark: { normal: \"#ce2c31\" }")
    let dark = try #require(button.dark)
    #expect(
      colors(dark) == [
        "normal": "#ce2c31", "highlighted": "#b0001a", "selected": "#890012",
        "focused": "#00ff00", "disabled": "#ce2c31",
      ])
    #expect(dark.title == .white)
  }

  /// B2: each appearance has all states, so that no state uses the other appearance's colours.
  @Test(arguments: [
    "", "normal: navy", "highlighted: auto", "highlighted: same", "disabled: red", "title: red",
    "selected: same, focused: auto", "normal: black, highlighted: white",
  ])
  func `the dark appearance has the same states as the light one`(dark: String) throws {
    let button = try button(
      "normal: gray, disabled: red, selected: auto, focused: same, dark: { \(dark) }")
    #expect(button.light.states.count == 5)
    #expect(button.dark?.states.map(\.state) == button.light.states.map(\.state))
  }

  @Test func `the dark appearance inherits a missing normal colour from the light one`() throws {
    let button = try button(
      "normal: \"#3e63dd\", highlighted: auto, selected: \"#3e63dd\", dark: {}")
    let dark = try #require(button.dark)
    #expect(
      dark.normal == button.light.normal && dark.others[.selected] == button.light.others[.selected]
    )
    // The shade is brighter on a black page, and darker on a white one.
    #expect(try #require(dark.others[.highlighted]).blue > dark.normal.blue)
    #expect(try #require(button.light.others[.highlighted]).blue < button.light.normal.blue)
    let alone = try self.button("normal: \"#3e63dd\", dark: { highlighted: auto }")
    #expect(alone.light.others[.highlighted] == alone.light.normal)
    #expect(alone.dark?.others[.highlighted] == dark.others[.highlighted])
    let title = try self.button("normal: red, title: white, dark: { title: black }")
    #expect(title.light.title == .white && title.dark?.title == .black)
  }

  @Test func `a state set to same copies the normal colour, and auto derives another one`() throws {
    let button = try button("normal: red, highlighted: same, selected: auto, focused: navy")
    #expect(button.light.others[.highlighted] == button.light.normal)
    #expect(button.light.others[.selected] != button.light.normal)
    #expect(button.light.others[.focused] == Color(parsing: "navy"))
  }
}

import Imaging
import Sitegen
import Testing

/// The colours of a button's states, as the manifest asks for them.
struct ButtonStateTests {
  private func button(_ keys: String) throws -> ButtonStyle {
    let result = try ManifestText(text: "version: 1\nbuttons: [{ name: b, \(keys) }]\n").read()
    return try #require(result.manifest?.buttons.first)
  }

  /// The colours of all states, by name.
  private func colors(_ appearance: ButtonStyle.Appearance) -> [String: String] {
    Dictionary(uniqueKeysWithValues: appearance.states.map { ($0.name, $0.color.css) })
  }

  /// B2: darker in the light, lighter in the dark, and the other way where a button is disabled.
  @Test func `auto is a shade of the normal colour of its appearance`() throws {
    let states = "highlighted: auto, selected: auto, focused: auto, disabled: auto"
    let button = try button(
      "normal: \"#3e63dd\", \(states), dark: { normal: \"#ce2c31\", \(states) }")
    // As ColorAide moves them; 0.04 would differ by 4.6 only, so `focused` is moved by 0.05.
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

  /// B2: a missing `highlighted` is `same`, whatever the others are.
  @Test func `a state that is left out follows no fashion`() throws {
    let button = try button("normal: \"#3e63dd\", disabled: auto, dark: { normal: black }")
    #expect(button.light.highlighted == button.light.normal)
    #expect(button.light.selected == nil && button.light.focused == nil)
    #expect(button.light.disabled != button.light.normal)
    #expect(button.dark?.highlighted == .black && button.dark?.disabled == nil)
  }

  @Test func `same and auto are other states than colours`() throws {
    let button = try button("normal: red, highlighted: same, selected: auto, focused: navy")
    #expect(button.light.highlighted == button.light.normal)
    #expect(button.light.selected != button.light.normal)
    #expect(button.light.focused == Color(parsing: "navy"))
  }
}

import SiteSupport

struct ButtonTitleTests {
  /// Returns the unreadable titles with their states and the help.
  private func contrasts(_ keys: String) throws -> [String] {
    let result = try ManifestText.button(keys.replacingOccurrences(of: "; ", with: "\n    ")).read()
    #expect(result.manifest != nil)
    return result.diagnostics.sorted.map { diagnostic in
      let position = diagnostic.location?.position.map { "\($0.line):\($0.column)" } ?? ""
      #expect(diagnostic.severity == .warning && diagnostic.id == "low-contrast")
      return "\(position) \(diagnostic.path ?? ""): \(diagnostic.message)\n"
        + "\(diagnostic.note ?? "")\n\(diagnostic.help ?? "")"
    }
  }

  /// According to ColorAide, white on red has a contrast of 3.998, and black on red 5.25.
  @Test func `an unreadable title causes a warning`() throws {
    #expect(
      try contrasts("title: white") == [
        """
        5:12 buttons[0].title: the title is hard to read on `normal` and `highlighted`
        the contrast of #ffffff and #ff0000 is 3.99, but text needs 4.5
        the nearest shade that passes is "#ee0000"
        """
      ])
    #expect(try contrasts("title: black").isEmpty)
  }

  /// B14: black on red has a contrast of 5.25; on any visibly darker red, black is unreadable.
  @Test func `auto chooses shades on which the title is readable`() throws {
    #expect(try contrasts("highlighted: auto; selected: auto; title: black").isEmpty)
    for normal in [
      "red", "black", "white", "\"#3e63dd\"", "\"#ffcc00\"", "\"#777777\"", "\"#0a84ff59\"",
    ] {
      for title in [Color.white, .black] {
        let states = "highlighted: auto, selected: auto, focused: auto"
        let manifest = try ManifestText(
          text: "version: 1\nbuttons: [{ name: b, normal: \(normal), \(states), "
            + "title: \"\(title.css)\", dark: {} }]\n"
        ).read().manifest
        let button = try #require(manifest?.buttons.first)
        for (appearance, colors) in button.appearances {
          for (state, color) in colors.others {
            let contrast = title.contrast(with: color, on: appearance.page)
            #expect(contrast >= 4.5, "\(title.css) on \(state) of \(normal)")
            #expect(color != colors.normal)
          }
        }
      }
    }
  }

  /// A #777 title is unreadable on every grey that differs visibly from black.
  @Test func `an automatic shade with an unreadable title is reported`() throws {
    let keys = "normal: black, highlighted: auto, title: \"#777\""
    let read = try ManifestText(text: "version: 1\nbuttons: [{ name: b, \(keys) }]\n").read()
    #expect(
      read.diagnostics.sorted.map(\.message) == [
        "the title is hard to read on `highlighted`"
      ])
  }

  /// White on #0060df has a contrast of 5.64, but only 3.6 under an overlay of 25% white.
  @Test func `an overlay affects title contrast`() throws {
    let keys = "highlighted: \"#0060df\"; selected: auto; title: white; overlay: "
    #expect(try contrasts(keys + "{ colors: [\"#0000\", \"#00000040\"] }").count == 1)
    let reported = try contrasts(keys + "{ colors: [\"#ffffff40\", \"#0000\"] }")
    #expect(
      reported.contains { $0.contains("on `highlighted`\n") && $0.contains("under the overlay") })
    #expect(reported.allSatisfy { !$0.contains("`selected`") })
  }

  @Test func `the dark appearance is checked with its own title colour on a black page`() throws {
    #expect(
      try contrasts("title: black; dark: { normal: \"#fff3\", title: gray }") == [
        """
        6:37 buttons[0].dark.title: the title is hard to read on `dark.normal` and \
        `dark.highlighted`
        the contrast of #808080 and #ffffff33 is 3.19 on a black page, but text needs 4.5
        the nearest shade that passes is "#75757533"
        """
      ])
    let inherited = try contrasts("title: black; dark: { normal: \"#003\" }")
    #expect(inherited.count == 1 && inherited[0].hasPrefix("5:12 buttons[0].title: "))
    #expect(inherited[0].contains("`dark.normal`"))
  }

  /// According to ColorAide, white on #999999 has a contrast of 2.84, whatever the page's colour.
  @Test func `inherited colours are checked in each appearance`() throws {
    let all = try contrasts("selected: \"#999\"; title: black; dark: { title: white }")
    #expect(
      all == [
        """
        7:20 buttons[0].dark.title: the title is hard to read on `dark.normal` and \
        `dark.highlighted`
        the contrast of #ffffff and #ff0000 is 3.99, but text needs 4.5
        the nearest shade that passes is "#ee0000"
        """,
        """
        7:20 buttons[0].dark.title: the title is hard to read on `dark.selected`
        the contrast of #ffffff and #999999 is 2.84, but text needs 4.5
        the nearest shade that passes is "#767676"
        """,
      ])
    // Without a dark title, the title of the button is reported once per appearance.
    let both = try contrasts("selected: \"#333\"; title: black; dark: {}")
    #expect(both.map { $0.contains("`dark.selected`") } == [true, false])
    #expect(both.allSatisfy { $0.hasPrefix("6:12 buttons[0].title: ") })
  }

  @Test func `states with the same colour share a warning`() throws {
    let warnings = try contrasts("highlighted: \"#f00\"; selected: same; title: white")
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("on `normal` and `highlighted` and `selected`\n"))
  }

  @Test func `if no shade is readable, another title colour is suggested`() throws {
    #expect(
      try contrasts("highlighted: \"#ffffff40\"; title: \"#fff\"").contains {
        $0.hasSuffix("no shade of #ffffff40 passes; a title in #050505 is readable on it")
      })
  }

  /// WCAG exempts inactive controls.
  @Test func `low contrast is accepted on disabled buttons`() throws {
    #expect(try contrasts("disabled: black; title: black").isEmpty)
  }

  @Test func `a button without a title does not cause a warning`() throws {
    #expect(try contrasts("highlighted: auto; dark: { normal: red }").isEmpty)
  }
}

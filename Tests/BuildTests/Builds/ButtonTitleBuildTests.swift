import SiteSupport

struct ButtonTitleBuildTests {
  /// Ratios are rounded down; `disabled` is included but causes no warning.
  @Test func `low contrast is reported and fails a strict build`() throws {
    let site = try TestSite()
    try site.write(
      [],
      buttons: [
        "name: b, normal: \"#767676\", disabled: \"#777777\", title: white, "
          + "dark: { normal: black, highlighted: \"#fff8\" }", "name: plain, normal: red",
      ])
    let result = try site.build { $0.allowEmpty = true }
    let buttons = try site.assets().buttons
    // These greys have ratios of 4.542 and 4.478. #fff8 on black looks like #888888: 3.54.
    #expect(buttons["b"]?["light"]?["normal"]?.contrast == 4.54)
    #expect(buttons["b"]?["light"]?["disabled"]?.contrast == 4.47)
    #expect(buttons["b"]?["dark"]?["normal"]?.contrast == 21)
    #expect(buttons["b"]?["dark"]?["highlighted"]?.contrast == 3.54)
    #expect(buttons["plain"]?["light"]?["normal"]?.contrast == nil)
    #expect(result.diagnostics.sorted.map(\.id) == ["low-contrast"])
    #expect(result.exitStatus == 0)
    let failure = try site.failure { options in
      options.allowEmpty = true
      options.strict = true
    }
    #expect(failure.exitStatus == 1)
  }
}

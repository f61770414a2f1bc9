import SiteSupport

struct CaptionTests {
  /// D5: an empty text is one pixel wide and one line high.
  @Test(arguments: ["", " ", "\n \t"])
  func `an empty caption is 1 × 20 pixels`(text: String) {
    let caption = Caption(text, em: 16, width: 192)
    #expect(caption.size == PixelSize(width: 1, height: 20) && caption.lines.isEmpty)
  }

  /// D5: a single line is as wide as its text; several lines have at most the given width.
  @Test func `a long caption uses the full width`() {
    let short = Caption("Team", em: 16, width: 192)
    #expect(short.lines == ["Team"] && short.size.width < 60 && short.size.height == 20)
    let long = Caption(String(repeating: "long ", count: 40), em: 16, width: 192)
    #expect(long.lines.count == 1 && long.lines[0].hasSuffix("…"))
    #expect((150...192).contains(long.size.width))
    let two = Caption("The people of our sample team", em: 16, width: 192, lines: 2)
    #expect(two.lines == ["The people of our", "sample team"] && two.size.height == 40)
    let exact = Caption("xx…", em: 16, width: 192).size.width
    #expect(Caption("xx yyyyyyyy", em: 16, width: exact).lines == ["xx…"])
    #expect(Caption("xx yy zz", em: 16, width: exact + 9).lines == ["xx…"])
    let widths = ["Team", "TeamTeam"].map { Caption($0, em: 100, width: 900).size.width }
    #expect(widths[1] == 2 * widths[0])
    // A title on a card is smaller before it is truncated.
    let title = "Department of Computational Linguistics and Human-Centred Data Science"
    #expect(TeamCard.caption(of: title).lines.joined(separator: " ") == title)
  }

  @Test func `an overlong word is truncated`() {
    let caption = Caption(String(repeating: "x", count: 500), em: 16, width: 192, lines: 3)
    #expect(caption.lines.count == 3 && caption.lines[2].hasSuffix("x…"))
    #expect(caption.lines[0] == caption.lines[1])
    let exact = Caption("xx", em: 16, width: 192).size.width
    #expect(Caption("xxx", em: 16, width: exact, lines: 2).lines == ["xx", "x"])
    // A letter that is wider than the line is kept.
    #expect(Caption("漢字", em: 16, width: 4, lines: 2).lines == ["漢", "字"])
  }

  /// D5: the limits hold for any text.
  @Test(arguments: 0..<200)
  func `captions never exceed their limits`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let letters = Array("aiWm .,漢字é🧑🏽‍🚀ß— \t")
    let text = String(
      (0..<random.next(upTo: 200)).map { _ in letters[random.next(upTo: letters.count)] })
    let em = 8 + random.next(upTo: 60)
    let width = 100 + random.next(upTo: 1_000)
    let most = 1 + random.next(upTo: 4)
    let caption = Caption(text, em: em, width: width, lines: most)
    #expect(caption.lines.count <= most && (1...width).contains(caption.size.width))
    #expect(caption.size.height == max(20, caption.lines.count * em * 5 / 4))
    let words = text.split(whereSeparator: \.isWhitespace).joined()
    let shown = caption.lines.joined().filter { !$0.isWhitespace }
    #expect(shown == words || words.hasPrefix(shown.dropLast()) && shown.hasSuffix("…"))
  }
}

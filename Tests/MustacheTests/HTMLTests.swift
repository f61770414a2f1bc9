import Mustache
import Testing

struct HTMLTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("", ""),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\"><img src=x onerror='f()'>", "&quot;&gt;&lt;img src=x onerror=&#39;f()&#39;&gt;"),
    ("&amp;", "&amp;amp;"),
    ("</title>", "&lt;/title&gt;"),
    ("<!-- ]]> -->", "&lt;!-- ]]&gt; --&gt;"),
    ("a\u{2028}b\u{2029}c", "a\u{2028}b\u{2029}c"),
    ("Zoë 👩‍🚀 شيماء `x`", "Zoë 👩‍🚀 شيماء `x`"),
    ("{{name}} {{{name}}} {{>other}}", "{{name}} {{{name}}} {{&gt;other}}"),
  ])
  func `double braces escape text and quoted attributes`(text: String, html: String) throws {
    #expect(try rendered("{{x}}", ["x": .text(text)]) == html)
  }

  @Test func `triple braces and ampersands do not escape text`() throws {
    #expect(try rendered("{{{x}}}{{&x}}", ["x": "<b>'"]) == "<b>'<b>'")
  }
}

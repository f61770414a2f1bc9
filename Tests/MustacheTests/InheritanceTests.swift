import Mustache
import Testing

struct InheritanceTests {
  static let layout = """
    <title>{{$title}}Team{{/title}}</title>
    <main>
      {{$main}}
      <p>Nobody</p>
      {{/main}}
    </main>

    """

  @Test func `a layout renders its default blocks`() throws {
    let text = try rendered("{{<layout}}{{/layout}}", with: ["layout": Self.layout])
    #expect(text == "<title>Team</title>\n<main>\n  <p>Nobody</p>\n</main>\n")
  }

  @Test func `content from a page is indented like the layout's block`() throws {
    let page = """
      {{<layout}}
        {{$title}}{{name}}{{/title}}
        {{$main}}
            <ul>
              {{#people}}
              <li>{{.}}
              {{/people}}
            </ul>
        {{/main}}
      {{/layout}}

      """
    let text = try rendered(
      page, ["name": "Us & them", "people": ["Ada", "Bo"]], with: ["layout": Self.layout])
    #expect(
      text == """
        <title>Us &amp; them</title>
        <main>
          <ul>
            <li>Ada
            <li>Bo
          </ul>
        </main>

        """)
  }

  @Test func `block content is rendered in the block's scope`() throws {
    let text = try rendered(
      "{{<p}}{{$b}}{{n}}{{/b}}{{/p}}", ["n": "out", "inner": ["n": "in"]],
      with: ["p": "{{$b}}{{/b}}{{#inner}}{{$b}}{{/b}}{{/inner}}"])
    #expect(text == "outin")
  }

  @Test func `a nested block with the same name keeps its own content`() throws {
    let text = try rendered(
      "{{<p}}{{$b}}[{{$b}}own{{/b}}]{{/b}}{{/p}}", with: ["p": "{{$b}}default{{/b}}"])
    #expect(text == "[own]")
  }

  @Test func `an intermediate template can fill some blocks and keep other defaults`() throws {
    let others = [
      "base": "{{$head}}h{{/head}}|{{$body}}b{{/body}}",
      "wide": "{{<base}}{{$body}}<wide>{{$body}}w{{/body}}</wide>{{/body}}{{/base}}",
    ]
    #expect(try rendered("{{>wide}}", with: others) == "h|<wide>w</wide>")
  }

  @Test func `the outermost page takes precedence`() throws {
    let others = [
      "base": "{{$head}}h{{/head}}|{{$body}}b{{/body}}",
      "wide": "{{<base}}{{$body}}w{{/body}}{{/base}}",
    ]
    let text = try rendered("{{<wide}}{{$body}}page{{/body}}{{/wide}}", with: others)
    #expect(text == "h|page")
  }

  @Test func `block content applies only to the parent tag that contains it`() throws {
    let text = try rendered("{{<p}}{{$b}}1{{/b}}{{/p}}{{>p}}", with: ["p": "{{$b}}0{{/b}}"])
    #expect(text == "10")
  }

  @Test func `blocks in a layout's partial are also filled`() throws {
    let text = try rendered(
      "{{<p}}{{$b}}1{{/b}}{{/p}}", with: ["p": "{{>q}}", "q": "{{$b}}0{{/b}}"])
    #expect(text == "1")
  }

  @Test func `a value can select the layout`() throws {
    let others = ["a": "a{{$b}}{{/b}}", "c": "c{{$b}}{{/b}}"]
    let page = "{{<*kind}}{{$b}}!{{/b}}{{/*kind}}"
    #expect(try rendered(page, ["kind": "a"], with: others) == "a!")
    #expect(try rendered(page, ["kind": "c"], with: others) == "c!")
  }
}

import Diagnostics
import Mustache
import Testing

struct TemplateSetTests {
  @Test func `included templates are loaded automatically`() throws {
    let texts = ["index": "{{<layout}}{{/layout}}", "layout": "{{>a/b}}", "a/b": "x", "lone": "y"]
    let set = try TemplateSet(loading: ["index"], from: source(texts.mapValues { Array($0.utf8) }))
    let output = try ["index", "layout", "a/b"].map { try set.render($0, with: [:]) }
    #expect(output == Array(repeating: Array("x".utf8), count: 3))
    #expect(throws: Diagnostic.self) { try set.render("lone", with: [:]) }
  }

  @Test func `each rendering starts with empty output`() throws {
    let set = try set("<{{x}}")
    for x in 1...2 {
      let page = try set.render("page", with: ["x": .number(x)])
      #expect(page == Array("<\(x)".utf8))
    }
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try rendered("\u{FEFF}{{#x}}\n{{/x}}") == "")
  }

  @Test func `a missing partial is reported at its tag`() {
    let error = #expect(throws: Diagnostic.self) {
      try rendered("a\n  é {{> people/list }}")
    }
    #expect(
      error
        == Diagnostic(
          .error, .templateMissing, "cannot find the template \"people/list\"",
          at: FileLocation(file: "page.mustache", position: Position(line: 2, column: 5)),
          help: "create people/list.mustache, or remove the tag"))
  }

  @Test func `a missing root template is an error`() throws {
    let error = #expect(throws: Diagnostic.self) {
      try TemplateSet(loading: ["index"], from: source([:]))
    }
    #expect(error?.id == "template-missing")
    #expect(error?.location?.file == "index.mustache")
    #expect(throws: Diagnostic.self) { try set("").render("other", with: [:]) }
  }

  @Test(arguments: ["../etc/passwd", "other", ""])
  func `a dynamic partial without a template renders nothing`(name: String) throws {
    #expect(try rendered("[{{>*kind}}]", ["kind": .text(name)]) == "[]")
    #expect(try rendered("[{{>*kind}}]", [:]) == "[]")
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "a/../b", "a//b", "a/", ".", "..", ".hidden", "a/.b", "a\\b",
    "a b", "é", "a\u{0}b", "~x", "%2e%2e/a", "", String(repeating: "a", count: 129),
  ])
  func `a template with an invalid name is never loaded`(name: String) {
    #expect(!TemplateName.isAllowed(name))
    #expect(throws: Diagnostic.self) {
      try TemplateSet(loading: ["page"]) { asked in
        #expect(asked == "page")
        return TemplateSet.File(path: asked, bytes: Array("{{>\(name)}}".utf8))
      }
    }
  }

  @Test(arguments: ["a", "a-b_c.d", "partials/person", "0", "grandParent"])
  func `valid template names are allowed`(name: String) { #expect(TemplateName.isAllowed(name)) }

  @Test func `unknown names in templates are found without rendering`() throws {
    let set = try set(
      "{{site.title}}\n{{#peple}}{{.}}{{>*kind}}{{/peple}}{{^site.titel}}{{/site.titel}}")
    let errors = set.unknownNames(known: ["site", "title", "people", "kind"])
    #expect(errors.map(\.message) == ["unknown name \"peple\"", "unknown name \"titel\""])
    #expect(errors.map { $0.location?.position?.description } == ["2:1", "2:36"])
    #expect(errors.allSatisfy { $0.severity == .warning })
  }
}

import Diagnostics
import Mustache
import Testing

struct HostileTemplateTests {
  static let sample = """
    {{! a comment }}
    {{=<% %>=}}
    <%#people%>
      <li><%name%> <%{html}%> <%&html%><%^tags%>é<%/tags%>
      <%>person%>
    <%/people%>
    <%={{ }}=%>
    {{<layout}}{{$main}}
      x{{$more}}y{{/more}}
    {{/main}}{{/layout}}{{>*kind}}

    """

  @Test func `a template truncated at any byte either renders or is rejected`() throws {
    let bytes = Array(Self.sample.utf8)
    var errors = 0
    for end in 0...bytes.count {
      let texts = ["page": Array(bytes[..<end]), "person": [], "layout": []]
      do {
        let set = try TemplateSet(loading: ["page"], from: source(texts))
        _ = try set.render("page", with: ["people": [["name": "a"]]])
      } catch {
        #expect(error.location?.file == "page.mustache")
        #expect(error.location?.position != nil)
        errors += 1
      }
    }
    #expect(errors > bytes.count / 2)
    #expect(errors < bytes.count)
  }

  @Test func `a template with a changed byte never causes a crash`() throws {
    let bytes = Array(Self.sample.utf8)
    for index in bytes.indices {
      for byte in Array("{}%<=>#/$*.\n \0".utf8) + [0xFF] {
        var changed = bytes
        changed[index] = byte
        let set = try? TemplateSet(loading: ["page"]) { name in
          TemplateSet.File(path: name, bytes: name == "page" ? changed : [])
        }
        _ = try? set?.render("page", with: ["people": [["name": "a"]]])
      }
    }
  }

  @Test(arguments: ["#", "^", "$", "<"])
  func `100,000 nested sections are rejected`(sigil: String) {
    let template = String(repeating: "{{\(sigil)a}}", count: 100_000)
    let error = #expect(throws: Diagnostic.self) { try rendered(template, with: ["a": ""]) }
    #expect(error?.id == "template-too-deep")
  }

  @Test func `128 nested sections are allowed`() throws {
    let open = String(repeating: "{{#a}}", count: 128)
    let close = String(repeating: "{{/a}}", count: 128)
    #expect(try rendered(open + "x" + close, ["a": true]) == "x")
  }

  @Test(arguments: [
    ["page": "{{>page}}"],
    ["page": "{{>a}}", "a": "{{>b}}", "b": "{{>a}}"],
    ["page": "{{<page}}{{/page}}"],
    ["page": "{{<a}}{{$b}}{{>page}}{{/b}}{{/a}}", "a": "{{$b}}{{/b}}"],
    ["page": "{{#x}}{{>page}}{{/x}}"],
    ["page": "{{^y}}{{>*kind}}{{/y}}"],
  ])
  func `infinite recursion is rejected`(texts: [String: String]) {
    let error = #expect(throws: Diagnostic.self) {
      try rendered(texts["page"] ?? "", ["x": [1, 2], "kind": "page"], with: texts)
    }
    #expect(error?.id == "template-recursion")
    #expect(error?.location?.position?.line == 1)
  }

  @Test func `finite recursion is allowed`() throws {
    var tree: Value = ["n": 0, "nodes": []]
    for depth in 1...50 { tree = ["n": .number(depth), "nodes": [tree]] }
    let text = try rendered(
      "{{>node}}", tree, with: ["node": "{{n}} {{#nodes}}{{>node}}{{/nodes}}"])
    #expect(text.hasPrefix("50 49 48 "))
    #expect(text.hasSuffix(" 1 0 "))
  }

  @Test func `a template with many tags is parsed in one pass`() throws {
    let template = String(repeating: "   {{a}}   {{>p}}\n {{#b}} {{/b}}\n", count: 50_000)
    #expect(try rendered(template, ["a": 1], with: ["p": ""]).utf8.count == 50_000 * 10)
  }

  @Test func `a template over the size limit is rejected`() {
    let error = #expect(throws: Diagnostic.self) {
      try rendered(String(repeating: "a", count: (4 << 20) + 1))
    }
    #expect(error?.id == "template-too-large")
  }
}

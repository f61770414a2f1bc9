import Build
import Diagnostics
import Gallery
import Manifest
import Plan
import SitegenCLI
import TestSupport

struct DocsTests {
  @Test func `the page shows the output of help`() throws {
    let page = try Checkout.text(of: "docs/reference/cli.md")
    #expect(page.contains("```text\n" + HelpPage(Command.all).text + "```\n"))
    for command in Command.all {
      #expect(page.contains("```text\n" + HelpPage(command).text + "```\n"))
    }
  }

  @Test func `the catalogue matches its script and manifest`() throws {
    let run = try RunningProgram(["script/catalogue", "--text"]).ending()
    #expect(run.status == 0)
    expect(run.out, equals: try Checkout.text(of: "docs/reference/avatars.md"))
  }

  @Test func `the catalogue shows every style key, and its manifest is valid`() throws {
    let manifest = Checkout.root.appending(path: "docs/avatars/manifest.yaml")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let style = try #require(KeyTable.all.first { $0.title == "a style" })
    for key in style.keys {
      #expect(text.contains("\(key):"), "\(key)")
    }
    let folder = TemporaryFolder()
    var options = BuildOptions(
      jobs: 1, programs: Programs(beside: BuiltProduct.sitegen), pages: GalleryMaker())
    options.manifest = manifest.path
    options.output = folder.path(of: "output")
    options.cache = folder.path(of: "cache")
    let result = try Build(options).check()
    #expect(result.diagnostics.sorted.isEmpty)
  }
}

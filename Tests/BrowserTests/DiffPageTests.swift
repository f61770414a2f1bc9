import SiteSupport

extension InBrowser {
  struct DiffPageTests {
    @Test(arguments: [390, 1_280])
    func `the diff page works from a local folder and shows all its pictures`(width: Int) throws {
      let site = try TestSite()
      try site.paint("red.png", .red, side: 40)
      try site.paint("blue.png", .blue, side: 40)
      let buttons = ["name: go, normal: \"#112233\""]
      try site.write([Person("a", "red.png"), Person("b", "red.png")], buttons: buttons)
      try site.build()
      try site.write(
        [Person("a", "blue.png"), Person("<c>", "blue.png")], buttons: ["name: go, normal: red"])
      try site.build { $0.output = site.folder.path(of: "later") }
      var comparison = Comparison(
        old: site.folder.path(of: "output"), new: site.folder.path(of: "later"))
      comparison.to = site.folder.path(of: "diff")
      comparison.templates = TemplatesFolder(site.folder.path(of: "templates"))
      #expect(try comparison.run().changed == 1)
      let page = try Browser().page(width: width, height: 900)
      try page.open(file: site.folder.path(of: "diff/index.html"))
      let broken: [String] = try page.value(
        of: "Promise.all([...document.images].map(async i => { i.loading = 'eager';"
          + " await i.decode().catch(() => 0); return i.naturalWidth ? '' : i.src }))"
          + ".then(all => all.filter(Boolean))")
      #expect(broken == [])
      #expect(try page.value(of: "document.images.length", as: Int.self) == 4)
      #expect(page.complaints == [])
      #expect(try page.value(of: "document.documentElement.scrollWidth", as: Int.self) <= width)
      let ids: [String] = try page.value(
        of: "[...document.querySelectorAll('.diff-item code')].map(c => c.textContent)")
      #expect(ids == ["a", "<c>", "b"])
    }
  }
}

import SiteSupport

struct PublishOrderTests {
  private static func rank(_ path: String) -> Int {
    switch path {
    case "index.html": 6
    case "sitemap.xml", "robots.txt": 5
    case _ where path.hasPrefix("data/"): 4
    case _ where path.hasSuffix(".html"): 3
    case _ where path.hasSuffix(".vcf"): 2
    case _ where path.hasPrefix("assets/"): 0
    default: 1
    }
  }

  @Test func `pages are published before the files that link to them`() throws {
    let site = try TestSite.whole(
      pages: ["cards": true],
      more: [
        "site": ["title": "Sample", "url": "https://example.org/"],
        "exports": ["touch", "sprites"],
      ])
    try site.build()
    let files = site.outputFiles().filter { $0 != ".sitegen-files" }
    for file in files {
      try site.folder.write(try site.folder.read("output/\(file)") + [0], to: "output/\(file)")
    }
    let folders = Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    let watch = MoveWatch(site.folder.path(of: "output"), folders: folders)
    try site.build()
    let placed = watch.placed().filter { $0 != ".sitegen-files" }
    #expect(placed.sorted() == files.sorted())
    let ranks = placed.map(Self.rank)
    #expect(ranks == ranks.sorted(), "\(placed)")
    #expect(Set(ranks) == Set(0...6))
  }
}

import TestSupport

struct TemplateFileTests {
  private let site = SiteFolder()

  init() throws {
    try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
  }

  /// M26: the site is kept if a template is missing, outside, too large or not a regular file.
  @Test func `if a template is unreadable, a build exits with 2`() throws {
    #expect(try site.build().status == 0)
    let before = site.tree()
    try site.folder.write("{{secret}}", to: "outside.mustache")
    try site.folder.makeFolder("folder/index.mustache")
    try site.makePipe("pipe/layout.mustache")
    for (name, target) in [
      ("link/index.mustache", "../outside.mustache"), ("device/gallery.css", "/dev/zero"),
      ("loop/index.mustache", "index.mustache"),
    ] {
      try site.folder.makeFolder(String(name.prefix { $0 != "/" }))
      try site.folder.link(name, to: target)
    }
    try site.makeSparse("huge/person.mustache", bytes: 1 << 30)
    try site.folder.write("text", to: "file")
    for name in ["missing", "folder", "pipe", "link", "device", "loop", "huge", "file"] {
      let run = try site.start(SiteFolder.buildWords + ["--templates", name]).ending()
      #expect(run.status == 2 && run.signal == nil, "\(name): \(run.err)")
      #expect(run.err.hasPrefix(name), "\(name): \(run.err)")
      #expect(run.err.contains("error: cannot read this template [template-unreadable]"))
      #expect(!run.err.contains("FileError"), "\(name): \(run.err)")
      #expect(site.tree() == before)
    }
  }

  @Test func `if a template is invalid, a build exits with 2 and shows its location`() throws {
    try site.folder.write("<p>\n  {{#open}}\n</p>", to: "own/index.mustache")
    let run = try site.build("--templates", "own")
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("own/index.mustache:2:"), "\(run.err)")
  }

  @Test func `if a partial is unreadable, a build exits with 2`() throws {
    try site.folder.write("{{> extra}}", to: "own/index.mustache")
    try site.folder.makeFolder("own/extra.mustache")
    let run = try site.build("--templates", "own")
    #expect(run.status == 2, "\(run.err)")
    #expect(run.err.contains("own/extra.mustache"), "\(run.err)")
    #expect(run.err.contains("note: not a regular file"), "\(run.err)")
  }
}

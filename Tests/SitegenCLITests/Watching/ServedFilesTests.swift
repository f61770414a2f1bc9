import TestSupport

struct ServedFilesTests {
  /// S3: a folder with files but without a ledger is not served.
  @Test(arguments: [".", "content"]) func `a folder without a site is not served`(output: String)
    throws
  {
    let site = try WatchedSite.twoPeople()
    try site.folder.write("canary", to: "private.txt")
    let ending = try site.run([
      "serve", "--port", "0", "--manifest", "content/manifest.json", "--output", output,
    ])
    #expect(ending.status == 2)
    #expect(ending.out.isEmpty)
    #expect(ending.err.contains("[output-not-ours]"))
  }

  /// S3: in a folder with a site and other files, only the site's files are served.
  @Test func `in a shared folder, only the site's files are served`() throws {
    let site = try WatchedSite.twoPeople()
    try site.folder.write("foreign", to: "public/notes.txt")
    try site.folder.write("canary", to: "public/keys/server.key")
    try site.folder.write("canary", to: "public/manifest.json")
    let watched = try WatchedSite(
      ["serve", "--port", "0", "--output", "public", "--adopt"], site: site)
    let visitor = try Visitor(watched.program)
    #expect(watched.waitForLines(1))
    let assets = visitor.get("assets.json")
    #expect(assets.status == 200)
    for path in ["notes.txt", "manifest.json", "keys/server.key", ".sitegen-files"] {
      #expect(visitor.get(path).status == 404, "\(path)")
    }
    let names = try site.folder.text(of: "public/.sitegen-files").split(separator: "\n").dropFirst()
    for line in names {
      let path = line.split(separator: " ", maxSplits: 2)[2]
      #expect(visitor.get(String(path)).status == 200, "\(path)")
    }
    #expect(names.count > 5)
    _ = try watched.interrupt()
  }
}

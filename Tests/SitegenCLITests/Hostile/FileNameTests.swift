import TestSupport

struct FileNameTests {
  private let site = SiteFolder()
  private let picture = TestPicture.png(
    width: 12, height: 12, pixel: TestPicture.gradient(width: 12, height: 12))

  /// ImageMagick's prefixes, many of which do more than decode a file.
  static let prefixes = [
    "caption", "clip", "clipboard", "dng", "dot", "epdf", "ephemeral", "eps", "fax", "fd", "file",
    "ftp", "gradient", "gif", "gray", "granite", "gs", "hald", "histogram", "html", "icc",
    "info", "inline", "jpeg", "label", "logo", "map", "mask", "mpc", "mpr", "msl", "msvg", "mvg",
    "netscape",
    "null", "pango", "pattern", "pdf", "plasma", "png", "png24", "preview", "print", "ps",
    "radial-gradient", "rose", "rsvg", "scan", "screenshot", "show", "sparse-color", "stegano",
    "svg",
    "text", "tile", "txt", "unique", "url", "uyvy", "vid", "video", "wand", "webp", "win", "x",
    "xc",
    "xps", "xwd",
  ]

  /// M15: a prefix is part of the file name, and no program is started for it.
  @Test func `an ImageMagick prefix is part of the file name`() throws {
    let canary = site.folder.path(of: "canary.png")
    try site.folder.write(picture, to: "canary.png")
    try site.write(picture: picture, to: "plain.png")
    let sources =
      Self.prefixes.flatMap { ["\($0):plain.png", "\($0):\(canary)", "\($0.uppercased()):-"] }
      + [
        "label:@plain.png", "fd:0", "x:", "https:example.org/a.png", "plain.png:png", ":plain.png",
      ]
    try site.write(users: (sources + ["plain.png"]).map { ($0, [$0]) })
    let log = site.folder.path(of: "log")
    let run = try site.build(
      through: try Strace.need.isMet()
        ? Strace.logging("execve,connect,openat,openat2", to: log) : [])
    #expect(run.status == 1)
    let reasons = try site.assets().reasons
    for source in sources { #expect(reasons[source] == "source-unreadable", "\(source)") }
    #expect(reasons["plain.png"] == nil)
    guard try Strace.need.isMet() else { return }
    let audit = try Audit(log: log)
    #expect(audit.calls("connect") == [])
    #expect(audit.opened.filter { $0.contains("canary.png") } == [])
    #expect(
      audit.calls("execve").dropFirst().allSatisfy { $0.contains("\"\(BuiltProduct.worker)\"") })
  }

  /// M15 M16: a file with an unusual name produces the same bytes as under another name.
  ///
  /// M16: `@`, `|`, brackets, `%d`, wildcards, braces and the like are plain characters.
  @Test func `files with unusual names work`() throws {
    let special = [
      "@file.png", "@plain.png", "|cat", "-", "--help", "-resize", "a.png[0]", "a.png[9999x9999]",
      "a%d.png", "a%03d.png", "*.png", "?", "{a,b}", "%[fx:1]", ":", "::", "a:b", "a b.png", " ",
      "a\\b.png", "'", "\"", "`id`", "$(id)", "#", "%2e%2e", "ä.png", "a\u{308}.png", "👩‍🔬.png",
      "CON", "nul.png", "~", "...", "a.", ".a", "null", "true", "007", "initials.png",
    ]
    let names = special + Self.prefixes.map { "\($0):plain.png" }
    for name in names + ["plain.png"] { try site.write(picture: picture, to: name) }
    try site.write(users: (names + ["plain.png"]).enumerated().map { ("\($0)", [$1]) })
    let run = try site.build()
    #expect(run.status == 0, "\(run.err)")
    let assets = try site.assets()
    let expected = try #require(assets.digest("\(names.count)"))
    for (number, name) in names.enumerated() {
      #expect(assets.digest("\(number)") == expected, "\(name)")
    }
    #expect(site.tree().files.keys.filter { $0.hasPrefix("assets/") }.count == 1)
  }

  /// M16: names that are equal as Swift strings are two files if the file system separates them.
  @Test func `composed and decomposed spellings are separate files`() throws {
    let names = ["\u{E4}.png", "a\u{308}.png"]
    for (name, color) in zip(names, [TestPicture.Pixel.red, .blue]) {
      try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in color }, to: name)
    }
    try site.write(users: [("composed", [names[0]]), ("decomposed", [names[1]])])
    for _ in 0..<2 {
      #expect(try site.build("--no-cache").status == 0)
      let assets = try site.assets()
      #expect(assets.digest("composed") != assets.digest("decomposed"))
    }
  }
}

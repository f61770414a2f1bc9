import TestSupport

struct RandomEditTests {
  /// Edits pictures, users, styles and templates at random, with broken manifests in between.
  @Test(arguments: [UInt64.random(in: 0..<1_000_000)])
  func `a site edited a thousand times matches a cold build`(seed: UInt64) throws {
    try edit(1000, seed: seed)
  }

  private func edit(_ count: Int, seed: UInt64) throws {
    var desk = Desk(seed: seed)
    try desk.begin()
    let watched = try WatchedSite(site: desk.site)
    for number in 0..<count {
      try desk.edit()
      if desk.draw(4) == 0 { usleep(UInt32(desk.draw(30_000))) }
      guard number % 80 == 0 else { continue }
      // Waits, because a busy machine would merge all edits into a few batches.
      for _ in 0..<500 where watched.lines.count < number / 80 { usleep(10_000) }
    }
    try desk.finish()
    #expect(watched.waitFor("The end of \(seed)"), "seed \(seed)")
    // Other files of the last batch may still be unpublished.
    #expect(try watched.interrupt().status == 130, "seed \(seed)")
    let (files, cold) = (watched.files, try watched.coldFiles())
    #expect(Set(files.keys) == Set(cold.keys), "seed \(seed)")
    for (path, bytes) in cold { #expect(files[path] == bytes, "seed \(seed): \(path)") }
    #expect(watched.leftovers == [], "seed \(seed)")
    #expect(watched.lines.count > 10, "seed \(seed)")
    #expect(watched.lines.count < count, "seed \(seed)")
  }
}

private struct Desk {
  let site = SiteFolder()
  private var random: SeededRandom
  private let seed: UInt64
  private var users: [(id: String, avatars: [String])] = []
  private var style = WatchedSite.style
  private var title = "A title"
  private var number = 0

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  mutating func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  mutating func begin() throws {
    for number in 0..<6 { try paint("p\(number).png") }
    users = (0..<4).map { ("u\($0)", ["p\($0).png"]) }
    try save()
  }

  mutating func finish() throws {
    // A truncated picture keeps its last good version, which a cold build lacks.
    for number in 0..<6 where (try? site.folder.read("content/p\(number).png"))?.count == 40 {
      try site.folder.write(WatchedSite.picture(.red), to: "content/p\(number).png")
    }
    title = "The end of \(seed)"
    try save()
  }

  mutating func edit() throws {
    switch draw(12) {
    case 0...4: try paint("p\(draw(6)).png")
    case 5: try? site.folder.remove("content/p\(draw(6)).png")
    case 6:
      let (one, other) = (draw(6), draw(6))
      if one != other {
        try? FileManager.default.removeItem(atPath: site.folder.path(of: "content/p\(other).png"))
        try? FileManager.default.moveItem(
          atPath: site.folder.path(of: "content/p\(one).png"),
          toPath: site.folder.path(of: "content/p\(other).png"))
      }
    case 7:
      number += 1
      users.append(("n\(number)", ["p\(draw(6)).png", "p\(draw(6)).png"]))
      if users.count > 8 { users.removeFirst(4) }
      try save()
    case 8:
      if users.count > 1 { users.remove(at: draw(users.count)) }
      try save()
    case 9:
      let colors = ["#ff0000", "#00ff00", "#0000ff"]
      style = WatchedSite.plain + ", \"border\": {\"width\": 1, \"color\": \"\(colors[draw(3)])\"}}"
      try save()
    case 10:
      try site.folder.write("/* \(draw(1000)) */", to: "templates/gallery.css")
      if draw(3) == 0 { try site.folder.remove("templates/gallery.css") }
    default:
      try site.write(manifest: ["{", "{\"version\": 1, \"users\": 3}", ""][draw(3)])
      if draw(2) == 0 { try save() }
    }
  }

  private mutating func paint(_ name: String) throws {
    let color = TestPicture.Pixel(UInt8(draw(256)), UInt8(draw(256)), UInt8(draw(256)))
    var bytes = WatchedSite.picture(color)
    if draw(15) == 0 { bytes = bytes.prefix(40) }
    let path = site.folder.path(of: "content/\(name)")
    switch draw(2) {
    case 0:
      try site.folder.write(bytes, to: "content/\(name)")
    default:
      try site.folder.write(bytes, to: "content/new")
      _ = unsafe rename(site.folder.path(of: "content/new"), path)
    }
  }

  private func save() throws {
    try site.write(users: users, style: style, more: #""site": {"title": "\#(title)"},"#)
  }
}

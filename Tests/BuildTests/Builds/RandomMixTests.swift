import SiteSupport

struct RandomMixTests {
  /// Users, styles and files that change in every step.
  private struct World {
    var random: SeededRandom
    var people: [Person] = []
    var files: [String: Data] = [:]
    var styles: Set<Int> = [0]
    var nextID = 0

    static let allStyles = [
      TestSite.small, "name: large, size: 24, scales: [1], formats: [png]",
      "name: tiny, size: 8, scales: [1, 2], shape: rounded, formats: [png]",
    ]
    static let names = (0..<8).map { "file-\($0).png" } + ["folder/file.png", "never.png"]

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      for name in Self.names.dropLast() { files[name] = content() }
      for _ in 0..<random.next(upTo: 12) + 1 { addPerson() }
    }

    /// Returns a valid picture in one of few colours, a truncated picture, text, or an empty file.
    mutating func content() -> Data {
      let shade = UInt8(random.next(upTo: 4) * 60)
      let picture = TestPicture.png(width: 12, height: 12, kind: .color) { _, _ in
        TestPicture.Pixel(shade, 0, 255 - shade)
      }
      switch random.next(upTo: 8) {
      case 0: return picture.prefix(picture.count / 2)
      case 1: return Data("no picture".utf8)
      case 2: return Data()
      default: return picture
      }
    }

    mutating func removeSpoilt() {
      // A complete PNG ends with the checksum of IEND.
      files = files.filter { $0.value.suffix(4).elementsEqual([0xAE, 0x42, 0x60, 0x82]) }
    }

    mutating func addPerson() {
      var person = Person("user-\(nextID)")
      nextID += 1
      let count = random.next(upTo: 4)
      if count > 0 { person.avatar = (0..<count).map { _ in source() } }
      if random.next(upTo: 3) == 0 {
        person.background = ["#ff0000", "#00ff00"][random.next(upTo: 2)]
      }
      people.insert(person, at: random.next(upTo: people.count + 1))
    }

    mutating func source() -> String {
      switch random.next(upTo: 8) {
      case 0: "color:#0000ff"
      case 1: "../outside.png"
      case 2: "initials"
      default: Self.names[random.next(upTo: Self.names.count)]
      }
    }

    mutating func edit() {
      switch random.next(upTo: 6) {
      case 0: addPerson()
      case 1: if people.count > 1 { people.remove(at: random.next(upTo: people.count)) }
      case 2: files[Self.names[random.next(upTo: Self.names.count)]] = content()
      case 3: files[Self.names[random.next(upTo: Self.names.count)]] = nil
      case 4: styles.formSymmetricDifference([1 + random.next(upTo: 2)])
      default: people.shuffle(using: &random)
      }
    }

    func write(to site: TestSite) throws {
      for name in Self.names {
        if let bytes = files[name] {
          if !site.folder.exists("content/\(name)")
            || bytes != (try? site.folder.read("content/\(name)"))
          {
            try site.folder.write(bytes, to: "content/\(name)")
          }
        } else if site.folder.exists("content/\(name)") {
          try site.folder.remove("content/\(name)")
        }
      }
      try site.write(people, styles: styles.sorted().map { Self.allStyles[$0] })
    }
  }

  private func check(_ result: BuildResult, of site: TestSite, _ world: World) throws {
    let users = result.report.users
    #expect(
      users.ok + users.fallback + users.stale + users.skipped + users.failed == world.people.count)
    #expect(result.exitStatus == (users.failed > 0 ? 1 : 0))
    let listed = try site.assets().users
    #expect(Set(listed.keys) == Set(world.people.map(\.id)))
    let statuses = listed.values.map(\.status)
    #expect(statuses.count { $0 == "ok" } == users.ok)
    #expect(statuses.count { $0 == "fallback" } == users.fallback)
    #expect(statuses.count { $0 == "stale" } == users.stale)
    #expect(statuses.count { $0 == "skipped" } == users.skipped)
    #expect(statuses.count { $0 == "failed" } == users.failed)
    let named = Set(try site.assets().images.map(\.path))
    #expect(named == Set(site.assetFiles()))
    #expect(site.outputFiles().allSatisfy { !$0.contains(".sitegen-tmp") })
  }

  /// F38: the totals in the report match the users' statuses after any edit.
  @Test(arguments: Extent.seeds(10, all: 29))
  func `an edited site matches a cold build`(seed: UInt64) throws {
    var world = World(seed: seed)
    let site = try TestSite()
    try world.write(to: site)
    try check(site.build(jobs: 2), of: site, world)
    for _ in 0..<2 {
      for _ in 0...world.random.next(upTo: 4) { world.edit() }
      try world.write(to: site)
      let result = try site.build(jobs: 1 + world.random.next(upTo: 2))
      try check(result, of: site, world)
    }
    let cold = try TestSite()
    if try site.assets().users.values.contains(where: { $0.status == "stale" }) {
      // A cold build lacks the last good pictures, so the damaged files are removed first.
      world.removeSpoilt()
      try world.write(to: site)
      try check(site.build(), of: site, world)
    }
    try world.write(to: cold)
    try cold.build(jobs: 1)
    #expect(try site.snapshot() == cold.snapshot())
  }
}

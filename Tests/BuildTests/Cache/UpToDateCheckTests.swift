import Glibc
import SiteSupport

/// If stamps prove that nothing has changed since the last build, a build reads nothing else.
struct UpToDateCheckTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    try site.paint("red.png", .red)
    try site.paint("blue.png", .blue)
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.put(Array("id,name,avatar\nlist,Listed,red.png\n".utf8), at: "users.csv")
    try site.put(Array("---\nname: Dan\nphoto: ../red.png\n---\n".utf8), at: "people/dan.md")
    try site.folder.setModified("content/people", to: TestSite.longAgo)
    try write(Self.list, to: site)
    return site
  }

  private static let list = "users: { from: users.csv }"
  private static let people = """
    users:
      - { id: a, name: Anna, avatar: red.png }
      - { id: b, name: Bert, avatar: [missing.png, blue.png] }
      - { id: c, name: Carl, avatar: broken.png }
    """

  private func write(_ users: String, to site: TestSite) throws {
    try site.put(
      Array("version: 1\navatars:\n  - { \(TestSite.small) }\n\(users)\n".utf8), at: "manifest.yaml"
    )
  }

  /// Ages the output by a few seconds, and builds until the list of stamps exists.
  private func letRecordsAge(_ site: TestSite) throws {
    try site.build()
    try site.age("output")
    #expect(try !site.build().report.upToDate)
    #expect(try site.build().report.upToDate)
  }

  @Test func `the files of an up-to-date site are not read`() throws {
    let site = try filled()
    try write(Self.people, to: site)
    let first = try site.build()
    try letRecordsAge(site)
    let stamps = try site.stamps()
    let upToDate = try site.build()
    let counters = upToDate.report.counters
    #expect(upToDate.report.upToDate)
    #expect(counters.sourcesRead == 0 && counters.decodes == 0 && counters.renders == 0)
    #expect(counters.written == 0 && counters.workersStarted == 0 && counters.cacheHits == 0)
    #expect(counters.unchanged == stamps.count - 1)
    #expect(try site.stamps() == stamps)
    #expect(upToDate.report.users == first.report.users)
    #expect(upToDate.report.failures == first.report.failures)
    #expect(upToDate.diagnostics.sorted == first.diagnostics.sorted)
    #expect(upToDate.exitStatus == 1)
    #expect(try site.report().upToDate)
    #expect(try site.build(jobs: 3).report.upToDate)
  }

  @Test func `recently written files are checked again`() throws {
    let site = try filled()
    try site.build()
    #expect(try !site.build().report.upToDate)
    #expect(try !site.build().report.upToDate)
  }

  /// Returns the output files opened by a build.
  private func opened(_ site: TestSite) throws -> [String] {
    let files = site.outputFiles()
    let folders = Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    let watch = MoveWatch(site.folder.path(of: "output"), folders: folders, Int32(IN_OPEN))
    #expect(try !site.build().report.upToDate)
    return watch.placed().filter { files.contains($0) }
  }

  @Test func `after a small change, only recently written files are read`() throws {
    let site = try filled()
    try write(Self.people, to: site)
    try letRecordsAge(site)
    try write(Self.people.replacingOccurrences(of: "Anna", with: "Anne"), to: site)
    try site.build()
    let opened = try opened(site)
    #expect(opened.contains("assets.json") && opened.contains("index.html"))
    #expect(!opened.contains { $0.hasPrefix("assets/") || $0.hasSuffix(".css") }, "\(opened)")
  }

  @Test func `pictures whose files were already old when published are not reread`() throws {
    let site = try filled()
    try write(Self.people, to: site)
    try site.build()
    #expect(try opened(site).contains { $0.hasPrefix("assets/") })
    try site.folder.remove("output")
    try site.age("cache/store")
    try site.build()
    #expect(try !opened(site).contains { $0.hasPrefix("assets/") })
    let path = try site.image(of: "a").path
    let bytes = try site.folder.read("output/\(path)")
    try site.folder.write(bytes.map { $0 ^ 1 }, to: "output/\(path)")
    #expect(try opened(site).contains(path))
    #expect(try site.folder.read("output/\(path)") == bytes)
  }

  /// Changes that a user may make to an up-to-date site.
  enum Change: String, CaseIterable, Sendable {
    case manifest, userList, addedPerson, removedPerson, addedTemplate
    case source, missingSource, brokenSource
    case editedAsset, deletedAsset, editedPage, deletedPage
    case editedLedger, deletedLedger, option
  }

  @Test(arguments: Change.allCases)
  func `any change is detected`(change: Change) throws {
    let site = try filled()
    let isPages = change == .addedPerson || change == .removedPerson
    let users = isPages ? "users: { from: [people, users.csv] }" : Self.people
    try write(change == .userList ? Self.list : users, to: site)
    try letRecordsAge(site)
    let before = try site.snapshot()
    var adjust: (inout BuildOptions) -> Void = { _ in }
    switch change {
    case .manifest:
      try write(Self.people.replacingOccurrences(of: "Anna", with: "Anne"), to: site)
    case .userList:
      try site.put(Array("id,name,avatar\nlist,Someone,red.png\n".utf8), at: "users.csv")
    case .addedPerson: try site.put(Array("---\nname: Eve\n---\n".utf8), at: "people/eve.md")
    case .removedPerson: try site.folder.remove("content/people/dan.md")
    case .addedTemplate:
      try site.folder.write("<p>{{site.title}}</p>", to: "templates/index.mustache")
    case .source: try site.paint("red.png", .green)
    case .missingSource: try site.paint("missing.png", .green)
    case .brokenSource: try site.paint("broken.png", .green)
    case .editedAsset:
      let path = try site.image(of: "a").path
      var bytes = try site.folder.read("output/\(path)")
      bytes[bytes.count / 2] ^= 1
      try site.folder.write(bytes, to: "output/\(path)")
      try site.folder.setModified("output/\(path)", to: TestSite.longAgo)
    case .deletedAsset: try site.folder.remove("output/\(site.image(of: "a").path)")
    case .editedPage: try site.folder.write("<p>mine</p>", to: "output/index.html")
    case .deletedPage: try site.folder.remove("output/assets.json")
    case .editedLedger:
      let ledger = try site.folder.read("output/.sitegen-files") + Data("nonsense\n".utf8)
      try site.folder.write(ledger, to: "output/.sitegen-files")
    case .deletedLedger:
      try site.folder.remove("output/.sitegen-files")
      adjust = { $0.adopt = true }
    case .option: adjust = { $0.allowEmpty = true }
    }

    let counters = try site.build(adjust)
    #expect(!counters.report.upToDate)
    let cold = try TestSite()
    try FileManager.default.removeItem(atPath: cold.folder.path(of: "content"))
    try FileManager.default.removeItem(atPath: cold.folder.path(of: "templates"))
    for name in ["content", "templates"] {
      try FileManager.default.copyItem(
        atPath: site.folder.path(of: name), toPath: cold.folder.path(of: name))
    }
    try cold.build()
    #expect(try site.snapshot() == cold.snapshot())
    let isRepair = ["edited", "deleted", "option"].contains { change.rawValue.hasPrefix($0) }
    #expect(try (site.snapshot() == before) == isRepair)
    // The edited file is a hard link to the file in the store.
    if isRepair { #expect(counters.report.counters.renders == (change == .editedAsset ? 1 : 0)) }
  }

  /// The list has 500 people with two files each.
  @Test func `a change to the last of many files is detected`() throws {
    let site = try filled()
    let people = (1...500).map { "\(1000 + $0),Person \($0),red.png\n" }
    try site.put(Array("id,name,avatar\n\(people.joined())".utf8), at: "users.csv")
    try write("pages: { cards: true }\n" + Self.list, to: site)
    try letRecordsAge(site)
    let files = site.outputFiles().filter { $0 != ".sitegen-files" }
    #expect(files.count > 500)
    for path in [files[0], files[files.count / 2], files[files.count - 1]] {
      let bytes = try site.folder.read("output/\(path)")
      try site.folder.remove("output/\(path)")
      let report = try site.build().report
      #expect(!report.upToDate && report.counters.written == 1)
      #expect(try site.folder.read("output/\(path)") == bytes)
      try site.age("output")
      #expect(try !site.build().report.upToDate)
      #expect(try site.build().report.upToDate)
    }
  }

  @Test func `a missing picture is found once it exists`() throws {
    let site = try filled()
    try write(Self.people, to: site)
    try letRecordsAge(site)
    try site.paint("missing.png", .green)
    try site.build()
    #expect(try site.assets().users["b"]?.sourceIndex == 0)
    #expect(try site.pixels(of: "b").center == [0, 255, 0, 255])
  }

  @Test func `a damaged stamp list is ignored`() throws {
    let site = try filled()
    try letRecordsAge(site)
    var bytes = [UInt8](try site.folder.read("cache/upToDate"))
    bytes[bytes.count / 2] ^= 4
    try site.folder.write(bytes, to: "cache/upToDate")
    let report = try site.build().report
    #expect(!report.upToDate && report.counters.written == 0)
    for length in [0, 1, 31, 32, 33, bytes.count - 1] {
      try site.folder.write(bytes.prefix(length), to: "cache/upToDate")
      #expect(try !site.build().report.upToDate)
    }
  }

  @Test func `a build to a new output folder writes all files`() throws {
    let site = try filled()
    try letRecordsAge(site)
    let elsewhere = site.folder.path(of: "elsewhere")
    let report = try site.build { $0.output = elsewhere }.report
    #expect(!report.upToDate && report.counters.written > 0 && report.counters.renders == 0)
  }

  @Test func `--no-cache and dry runs ignore the stamp list`() throws {
    let site = try filled()
    try letRecordsAge(site)
    #expect(try !site.build { $0.dryRun = true }.report.upToDate)
    #expect(try site.build { $0.fetching.ignoringCache = true }.report.counters.renders == 1)
  }
}

import Files
import Glibc
import Preview
import TestSupport

@Suite(.timeLimit(.minutes(15))) struct RandomWalkTests {
  /// C20: after each step, every path that has changed must have been reported.
  @Test(arguments: [Int.max, 0])
  func `every path changed by random operations is reported`(limit: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let folder = TemporaryFolder(inMemory: true)
    try folder.makeFolder("site")
    try folder.makeFolder("outside")
    let site = WatchedFolder(folder, ["site", "site/a/b", "site/a/1"], limit: limit)
    _ = site.union {}
    for step in 0..<(limit == 0 ? 200 : 1500) {
      let before = try marks(folder)
      var done: [String] = []
      let named = try site.union {
        for _ in 0...Int.random(in: 0..<4, using: &random) {
          done.append(try doSomething(in: folder, &random))
        }
      }
      let after = try marks(folder)
      let missed = Set(before.keys).union(after.keys).filter { path in
        before[path] != after[path] && !named.contains(path)
      }
      #expect(missed.sorted() == [], "seed \(seed), step \(step): \(done)")
      #expect(named.allSatisfy { !$0.contains("/.") }, "seed \(seed), step \(step): \(done)")
      if !missed.isEmpty { return }
    }
  }

  /// Returns the stamp of each path, without following symlinks, or nil for a folder.
  private func marks(_ folder: TemporaryFolder) throws -> [String: FileStamp?] {
    let opened = try Folder(opening: folder.path)
    var marks: [String: FileStamp?] = [:]
    for path in folder.list() where path.hasPrefix("site") && !path.contains("/.") {
      let mark = try opened.mark(of: path)
      marks[path] = .some(mark?.kind == .folder ? nil : mark?.stamp)
    }
    return marks
  }

  /// Returns a path that often exists: up to three levels of four names and a hidden one.
  private func path(_ random: inout SeededRandom) -> String {
    let names = ["a", "b", "1", "2", ".hidden"]
    return (0..<Int.random(in: 1...3, using: &random)).reduce("site") { path, _ in
      path + "/" + (names.randomElement(using: &random) ?? "a")
    }
  }

  private func doSomething(
    in folder: TemporaryFolder, _ random: inout SeededRandom
  ) throws -> String {
    let (one, other) = (path(&random), path(&random))
    // A failed operation may do nothing or only a part.
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1, 2:
      try? folder.write("x", to: one)
      return "write \(one)"
    case 3:
      try? Doing.write(folder, "more", to: one, O_WRONLY | O_APPEND)
      return "append to \(one)"
    case 4:
      try? folder.remove(one)
      return "remove \(one)"
    case 5, 6:
      try? Doing.rename(folder, one, to: other)
      return "rename \(one) to \(other)"
    case 7:
      try? folder.makeFolder(one)
      return "make folder \(one)"
    case 8:
      for name in ["a/1", "a/b/2", "2"] { try? folder.write("x", to: "\(one)/\(name)") }
      return "fill \(one)"
    case 9:
      try? folder.link(one, to: folder.path(of: other))
      return "link \(one) to \(other)"
    case 10:
      try? Doing.rename(folder, one, to: "outside/\(Int.random(in: 0..<3, using: &random))")
      return "move \(one) out"
    case 11:
      try? Doing.rename(folder, "outside/\(Int.random(in: 0..<3, using: &random))", to: one)
      return "move \(one) in"
    case 12:
      try? folder.setModified(one, to: Int.random(in: 0..<1000, using: &random))
      return "touch \(one)"
    default:
      try? folder.remove("outside")
      try? folder.makeFolder("outside")
      guard Int.random(in: 0..<8, using: &random) == 0 else { return "empty outside" }
      try? Doing.rename(folder, "site", to: "outside/0")
      guard Bool.random(using: &random) else { return "move everything away" }
      try? Doing.rename(folder, "outside/0", to: "site")
      return "move everything away and back"
    }
  }
}

import Files
import Glibc
import TestSupport

struct FileStampTests {
  let temporary = TemporaryFolder()

  func stamp(modified: Int64) -> FileStamp {
    FileStamp(inode: 1, size: 1, modified: modified, changed: 0)
  }

  @Test func `a stamp is trusted if the file is at least three seconds old`() {
    let second: Int64 = 1_000_000_000
    #expect(stamp(modified: 7 * second).isTrustworthy(takenAt: 10 * second))
    #expect(!stamp(modified: 7 * second + 1).isTrustworthy(takenAt: 10 * second))
    #expect(!stamp(modified: 10 * second).isTrustworthy(takenAt: 10 * second))
  }

  @Test func `inputs are trusted only if all their stamps are trusted`() {
    let second: Int64 = 1_000_000_000
    var inputs = Inputs()
    for (modified, isTrusted) in [(7 * second, true), (8 * second, false), (7 * second, false)] {
      inputs.add("/a", stamp(modified: modified), takenAt: 10 * second)
      #expect(inputs.areTrustworthy == isTrusted)
    }
    #expect(inputs.stamped.paths == ["a", "a", "a"])
  }

  @Test func `a file dated in the future is never trusted`() {
    let now = FileStamp.now()
    #expect(!stamp(modified: now + 1).isTrustworthy(takenAt: now))
    #expect(!stamp(modified: .max).isTrustworthy(takenAt: now))
    #expect(!stamp(modified: .max).isTrustworthy(takenAt: .min))
    #expect(stamp(modified: 0).isTrustworthy(takenAt: now))
    #expect(stamp(modified: .min).isTrustworthy(takenAt: now))
  }

  /// F32: a same-size edit within the same second is detected.
  @Test func `a file edited within the same second is not trusted`() throws {
    try temporary.write("one", to: "a")
    let folder = try Folder(opening: temporary.path)
    let taken = FileStamp.now()
    let before = try #require(try folder.stamp(of: "a"))
    try temporary.write("two", to: "a")
    let seconds = Int(before.modified / 1_000_000_000)
    try temporary.setModified("a", to: seconds, nanoseconds: Int(before.modified % 1_000_000_000))
    let after = try #require(try folder.stamp(of: "a"))
    #expect(after.modified == before.modified && after.size == before.size)
    // The rule does not depend on the resolution of file times.
    #expect(!before.isTrustworthy(takenAt: taken))
  }

  @Test func `only regular files have a stamp`() throws {
    try temporary.write("abc", to: "root/file")
    try temporary.makeFolder("root/folder")
    try temporary.link("root/link", to: "file")
    try temporary.link("root/dangling", to: "nothing")
    let root = try Folder(opening: temporary.path(of: "root"))
    let stamp = try #require(try root.stamp(of: "file"))
    #expect(stamp.size == 3)
    #expect(abs(stamp.modified - FileStamp.now()) < 3_600_000_000_000)
    #expect(try root.stamp(of: "link") == stamp)
    #expect(try root.stamp(of: "link", followingLinks: false) == nil)
    for name in ["folder", "dangling", "nothing", "file/x", "", "file\0"] {
      #expect(try root.stamp(of: name) == nil, "\(name)")
    }
    #expect(try root.kind(of: "link") == .link)
    #expect(try root.kind(of: "folder") == .folder)
    #expect(try root.kind(of: "nothing") == nil)
  }

  @Test func `reading a stamp follows the same rules as opening the file`() throws {
    try temporary.write("abc", to: "root/file")
    try temporary.write("canary", to: "outside/canary")
    try temporary.makeFolder("root/folder")
    try temporary.link("root/link", to: "file")
    try temporary.link("root/dangling", to: "nothing")
    try temporary.link("root/loop", to: "loop")
    try temporary.link("root/away", to: "../outside")
    try temporary.link("root/absolute", to: temporary.path(of: "outside/canary"))
    #expect(unsafe mkfifo(temporary.path(of: "root/pipe"), 0o600) == 0)
    let root = try Folder(opening: temporary.path(of: "root"))
    let outside = temporary.path(of: "outside/canary")
    let names = [
      "file", "link", "dangling", "nothing", "loop", "folder", "pipe", "away/canary", "absolute",
      "../outside/canary", "away/nothing", outside, "/proc/self/status", "/proc/self/exe", "",
      ".", "file/x", "file/", "a\0b", String(repeating: "n", count: 300),
    ]
    for name in names {
      for allowOutside in [false, true] {
        let stamp = outcome { () throws(FileError) in
          try root.stamp(beneath: name, allowOutside: allowOutside)
        }
        let opened = outcome { () throws(FileError) in
          try root.open(beneath: name, allowOutside: allowOutside).stamp
        }
        #expect(stamp.0 == opened.0 && stamp.1 == opened.1, "\(name) \(allowOutside)")
      }
    }
    #expect(try root.stamp(beneath: "link")?.size == 3)
    #expect(try root.stamp(beneath: "nothing") == nil)
    #expect(try root.stamp(beneath: "away/canary", allowOutside: true)?.size == 6)
    for name in ["away/canary", "away/nothing", "absolute", "../outside/canary", outside] {
      let error = #expect(throws: FileError.self) { try root.stamp(beneath: name) }
      #expect(error?.reason == .outside, "\(name)")
    }
    for name in ["folder", "pipe", "."] {
      let error = #expect(throws: FileError.self) { try root.stamp(beneath: name) }
      #expect(error?.reason == .notRegular, "\(name)")
    }
  }

  private func outcome(
    _ body: () throws(FileError) -> FileStamp?
  ) -> (FileStamp?, FileError.Reason?) {
    do throws(FileError) {
      return (try body(), nil)
    } catch {
      return (nil, error.reason == .notFound ? nil : error.reason)
    }
  }

  @Test func `batch and single reads return the same stamps`() throws {
    let folder = try Folder(opening: temporary.path)
    var paths: [String] = []
    for index in 0..<300 {
      let name = "\(index % 7)/\(index).png"
      if index % 3 != 0 { try temporary.write("\(index)", to: name) }
      paths.append(name)
    }
    for name in ["none/1", "none/2", "none", "nones/1", "/", "1/none", "1/1.png"] {
      paths.append(name)
    }
    paths.append("a\0b")
    paths.append("")
    let found = folder.stamps(of: paths)
    #expect(try found == (0..<309).map { try folder.stamp(of: paths[$0]) })
    #expect(found.count { $0 == nil } == 108)
  }
}

import Glibc
import Synchronization
import TestSupport

struct SwapTests {
  private let site = SiteFolder()

  /// M13: a picture folder is repeatedly swapped with a symlink to outside pictures.
  @Test func `a symlink that replaces a folder is not followed`() throws {
    let count = 60
    for number in 0..<count {
      // The pictures differ, so that each is opened twice: to gather it and to render it.
      let width = 3 + number
      try site.write(
        picture: TestPicture.png(width: width, height: 3) { _, _ in .green },
        to: "real/\(number).png")
      try site.folder.write(
        TestPicture.png(width: width, height: 3) { _, _ in .red }, to: "outside/\(number).png")
    }
    try site.write(users: (0..<count).map { ("\($0)", ["spot/\($0).png"]) })
    try site.folder.link("content/spot", to: "real")
    try site.folder.link("content/bait", to: "../outside")
    #expect(try site.build().status == 0)
    let green = try #require(try site.assets().digest("0"))

    let swapper = Swapper(
      site.folder.path(of: "content/spot"), site.folder.path(of: "content/bait"))
    for _ in 0..<4 {
      let before = swapper.swaps
      let run = try site.build("--no-cache")
      #expect([0, 1].contains(run.status), "\(run.err)")
      #expect(swapper.swaps > before)
      let assets = try site.assets()
      for user in assets.users.values {
        switch user.status {
        case "ok": #expect(user.avatars["s"]?.map(\.sha256) == [green])
        default: #expect(user.reason != nil && user.reason != "decode-failed")
        }
      }
    }
    swapper.stop()
  }

  /// I17: a file that changes between gathering and rendering is read again.
  @Test func `a file that changes before rendering is read again`() throws {
    let red = TestPicture.png(width: 3, height: 3) { _, _ in .red }
    let blue = TestPicture.png(width: 5, height: 5) { _, _ in .blue }
    for (name, picture) in [("a", red), ("b", red + [0]), ("c", red + [1]), ("d", blue)] {
      try site.write(picture: picture, to: "\(name).png")
    }
    try site.write(users: ["a", "b", "c", "d"].map { ($0, ["\($0).png"]) })
    let gate = ProgramGate("before-decode")
    let program = try site.start(
      SiteFolder.buildWords + ["--jobs", "1"], environment: gate.environment)
    // The first picture is being decoded, and the others wait to be read again.
    try gate.reached()
    try site.folder.write([], to: "content/b.png")
    try site.folder.write(blue, to: "content/c.png")
    try gate.open()
    let run = try program.ending()
    #expect(run.status == 1, "\(run.err)")
    let assets = try site.assets()
    #expect(assets.reasons == ["b": "source-empty"])
    #expect(assets.digest("c") == assets.digest("d"))
    #expect(assets.digest("c") != assets.digest("a"))

    // The cache must be correct when the old bytes return.
    try site.write(picture: red + [0], to: "b.png")
    try site.write(picture: red + [1], to: "c.png")
    #expect(try site.build().status == 0)
    let again = try site.assets()
    #expect(again.digest("b") == assets.digest("a"))
    #expect(again.digest("c") == assets.digest("a"))
  }
}

/// Swaps two paths repeatedly until stopped.
private final class Swapper: Sendable {
  private let count = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  var swaps: Int { count.load(ordering: .relaxed) }

  init(_ one: String, _ other: String) {
    Thread.detachNewThread { [self] in
      let aside = one + ".aside"
      while !isOver.load(ordering: .relaxed) {
        _ = unsafe rename(one, aside)
        _ = unsafe rename(other, one)
        _ = unsafe rename(aside, other)
        count.wrappingAdd(1, ordering: .relaxed)
        usleep(200)
      }
      ended.signal()
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}

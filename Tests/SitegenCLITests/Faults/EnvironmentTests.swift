import TestSupport

struct EnvironmentTests {
  private let site = SiteFolder()

  init() throws {
    try site.write(
      picture: TestPicture.jpeg(
        width: 40, height: 30, pixel: TestPicture.gradient(width: 40, height: 30)), to: "a.jpg")
    try site.write(
      users: [("ada", ["a.jpg"])],
      style: #"{"name": "s", "size": 16, "scales": [1, 2], "formats": ["webp", "png"]}"#)
  }

  /// Builds from scratch in an environment and returns the output.
  private func tree(
    in environment: [String: String], through wrapper: [String] = []
  ) throws -> Tree {
    let run = try site.build(
      "--output", "o", "--cache", "c", environment: environment, through: wrapper)
    #expect(run.status == 0, "\(run.err)")
    #expect(run.err.isEmpty)
    let tree = site.tree("o")
    for name in ["o", "c"] { try site.folder.remove(name) }
    return tree
  }

  /// I16: time zone, locale, umask, environment, limits and time do not affect the output.
  ///
  /// F33: builds work in all of these environments.
  @Test func `the environment does not affect the output`() throws {
    let usual = RunningProgram.usualEnvironment
    let expected = try tree(in: usual)
    #expect(expected.files.count > 6)
    let odd: [(String, [String: String], [String])] = [
      ("zone", usual.merging(["TZ": "Asia/Kathmandu"]) { $1 }, []),
      ("locale", usual.merging(["LC_ALL": "tr_TR.UTF-8", "LANG": "C"]) { $1 }, []),
      ("no environment", [:], []),
      ("no home", usual.filter { !["HOME", "TMPDIR", "PATH"].contains($0.key) }, []),
      ("nowhere", usual.merging(["HOME": "/nowhere", "TMPDIR": "/nowhere"]) { $1 }, []),
      ("umask", usual, ["/bin/sh", "-c", #"umask 077; exec "$0" "$@""#]),
      ("no input", usual, ["/bin/sh", "-c", #"exec "$0" "$@" <&-"#]),
      ("few files", usual, ["/bin/sh", "-c", #"ulimit -n 64; exec "$0" "$@""#]),
    ]
    for (name, environment, wrapper) in odd {
      let tree = try tree(in: environment, through: wrapper)
      #expect(tree.differences(from: expected) == [], "\(name)")
    }
    try site.folder.setModified("content/a.jpg", to: 1_000_000_000)
    #expect(try tree(in: usual).differences(from: expected) == [])
  }

  /// F33: the error names the missing folder or device.
  @Test(.needs(Self.mounts), arguments: [("/proc", "/proc"), ("/dev", "/dev/null")])
  func `a missing system folder is reported`(folder: String, name: String) throws {
    // A folder in memory would be in /dev, which the test hides.
    let site = SiteFolder(inMemory: false)
    try site.write(picture: TestPicture.png(width: 3, height: 3) { _, _ in .red }, to: "a.png")
    try site.write(users: [("a", ["a.png"])])
    let run = try site.build(through: Self.covering(folder))
    #expect(run.status == 3, "\(run.err)")
    #expect(run.err.hasPrefix("sitegen: error: ") && run.err.contains(name), "\(run.err)")
    #expect(!run.err.contains("SystemFailure") && !run.err.contains("Usage"), "\(run.err)")
    #expect(try site.build().status == 0)
  }

  /// Returns a wrapper that starts a program with an empty system folder.
  private static func covering(_ folder: String) -> [String] {
    let script = "mount -t tmpfs none \(folder) && exec \"$0\" \"$@\""
    return ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script]
  }

  private static let mounts = Need("the right to mount folders of one's own") {
    (try? RunningProgram(covering("/proc") + ["/bin/true"]).ending().status) == 0
  }

  /// F32: a new picture is detected, whatever its modification time.
  @Test(arguments: [0, 1, 1_000_000_000, 4_000_000_000])
  func `a change is detected regardless of the modification time`(seconds: Int) throws {
    var digests: Set<String?> = []
    for color in [TestPicture.Pixel.red, .blue, .red] {
      let picture = TestPicture.png(width: 9, height: 9, kind: .color) { _, _ in color }
      try site.write(picture: picture, to: "a.jpg")
      try site.folder.setModified("content/a.jpg", to: seconds)
      for _ in 0..<2 { #expect(try site.build().status == 0) }
      digests.insert(try site.assets().digest("ada"))
    }
    #expect(digests.count == 2 && !digests.contains(nil))
  }

  @Test func `exceeding a file size limit is reported without a crash`() throws {
    // Output goes through a pipe, because files cannot grow.
    let limited = #"(ulimit -f 0; exec "$0" "$@") 2>&1 | cat"#
    let run = try site.build(through: ["/bin/bash", "-o", "pipefail", "-c", limited])
    #expect(run.status == 3 && run.out.contains("error"), "\(run.status) \(run.out)")
    #expect(try site.build().status == 0)
  }

  /// F22: the program reports the cause even without a free descriptor.
  @Test(arguments: Extent.isAll ? Array(4...12) + [14, 17, 20] : [4, 7, 10, 14, 20])
  func `reaching the open-file limit is reported without a crash`(limit: Int) throws {
    let limited = ["/bin/sh", "-c", #"ulimit -n \#(limit); exec "$0" "$@""#]
    let run = try site.build(through: limited)
    #expect(run.status == 3, "\(run.status)")
    #expect(run.err.lowercased().contains("too many open files"), "\(run.err)")
    #expect(try site.build().status == 0)
  }

  /// If sitegen did not prevent it, Dispatch would lower the nice value for root.
  @Test func `all threads and workers inherit the nice value`() throws {
    let faults = TemporaryFolder()
    try faults.write("", to: "one")
    let program = try site.start(
      SiteFolder.buildWords,
      environment: ["SITEGEN_TEST_FAULT": "hang", "SITEGEN_TEST_FAULT_FOLDER": faults.path],
      through: ["/usr/bin/nice", "-n", "7"])
    #expect(eventually { faults.list().isEmpty })
    let nice = niceness(of: program.processID)
    program.send(SIGINT)
    _ = try program.ending()
    #expect(nice.count > 2 && Set(nice) == [7], "\(nice)")
  }

  /// Returns the nice values of a process's threads and children.
  private func niceness(of process: Int32) -> [Int] {
    let tasks = "/proc/\(process)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).flatMap { task in
      let stat = (try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)) ?? ""
      // The process name, in parentheses, may contain spaces.
      let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
      let own = fields.count > 16 ? Int(fields[16]) : nil
      let children = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
      return [own].compactMap(\.self)
        + (children ?? "").split(separator: " ").compactMap { Int32($0) }.flatMap(niceness)
    }
  }

  /// I20: denying, invalid and missing policies in the environment have no effect.
  @Test func `an ImageMagick policy in the environment does not affect workers`() throws {
    let usual = RunningProgram.usualEnvironment
    let expected = try tree(in: usual)
    let denying = """
      <policymap><policy domain="coder" rights="none" pattern="*"/>
      <policy domain="resource" name="width" value="1P"/></policymap>
      """
    try site.folder.write(denying, to: "denying/policy.xml")
    try site.folder.write(denying, to: "home/.config/ImageMagick/policy.xml")
    try site.folder.write(denying, to: "home/.magick/policy.xml")
    try site.folder.write("<policymap><policy", to: "broken/policy.xml")
    try site.folder.makeFolder("empty")
    var surroundings = ["denying", "broken", "empty", "missing"].map { name in
      usual.merging(["MAGICK_CONFIGURE_PATH": site.folder.path(of: name)]) { $1 }
    }
    surroundings.append(usual.merging(["HOME": site.folder.path(of: "home")]) { $1 })
    surroundings.append(
      usual.merging([
        "MAGICK_WIDTH_LIMIT": "1", "MAGICK_MEMORY_LIMIT": "1", "MAGICK_THREAD_LIMIT": "64",
        "MAGICK_DEBUG": "All", "MAGICK_CODER_MODULE_PATH": site.folder.path(of: "empty"),
      ]) { $1 })
    for environment in surroundings {
      #expect(try tree(in: environment).differences(from: expected) == [])
    }
  }

  /// F26: a closed output pipe does not fail a build.
  @Test func `a closed output pipe is not a failure`() throws {
    let manifest = ["--manifest", "content/manifest.json"]
    for words in [["build"] + manifest, ["check"] + manifest, ["help", "build"]] {
      let mouth = Pipe()
      try mouth.fileHandleForReading.close()
      let run = try site.start(words, into: mouth.fileHandleForWriting).ending()
      #expect(run.status == 0 && run.signal == nil)
    }
    let closed = try site.build(through: ["/bin/sh", "-c", #"exec "$0" "$@" >&- 2>&- <&-"#])
    #expect(closed.status == 0 && closed.signal == nil)
    let tree = site.tree()
    #expect(tree.flaws(between: tree, and: tree) == [])
  }

  /// F23: a file, a device, a dangling symlink.
  @Test func `an output that is not a folder is rejected`() throws {
    try site.folder.write("mine", to: "taken")
    try site.folder.link("dangling", to: "nowhere")
    for output in ["taken", "taken/below", "/dev/null", "dangling", "/proc/nowhere"] {
      let run = try site.build("--output", output)
      #expect(run.status == 3, "\(output): \(run.err)")
      #expect(run.err.hasPrefix("sitegen: error: cannot "))
      #expect(run.err.contains(output))
    }
    #expect(try site.folder.text(of: "taken") == "mine")
    #expect(!site.folder.exists("nowhere"))
  }

  @Test func `a cache that is not a folder is rejected`() throws {
    try site.folder.write("mine", to: "taken")
    let run = try site.build("--cache", "taken")
    #expect(run.status == 3)
    #expect(run.err.contains("taken"))
    #expect(try site.folder.text(of: "taken") == "mine")
  }

  @Test func `an output may be a symlink`() throws {
    try site.folder.makeFolder("real")
    try site.folder.link("output", to: "real")
    #expect(try site.build().status == 0)
    #expect(site.folder.exists("real/index.html"))
  }
}

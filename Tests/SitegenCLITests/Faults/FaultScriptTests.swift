import TestSupport

/// Runs the fault scripts, which share no code with sitegen.
///
/// CI runs small samples, and `script/test --all` runs larger ones.
struct FaultScriptTests {
  /// F22, F21, F24: the n-th call fails or kills the process, for builds, prunes and cleans.
  @Test(.needs(Strace.need))
  func `the site survives the failure of any system call`() throws {
    let sample = [
      "--scenario", "rebuild,clean", "--calls", "write,rename,unlink", "--every", "120",
    ]
    let said = try Self.run("faults", Extent.isAll ? ["--every", "40"] : sample)
    #expect(said.text.contains(/[1-9]\d* faults, [1-9]\d* kills, 0 failures/), "\(said.text)")
    #expect(said.status == 0, "\(said.text)")
  }

  /// F25: a copy of the disk at any moment contains a complete site, and the next build succeeds.
  @Test(.needs(Self.loopDevices))
  func `the site survives a power failure at any moment`() throws {
    let said = try Self.run(
      "powercut", Extent.isAll ? ["--cuts", "40"] : ["--systems", "ext4", "--cuts", "4"])
    #expect(
      said.text.contains(/ext4: [1-9]\d* copies, \d+ of them during a build, 0 failures/),
      "\(said.text)")
    #expect(said.status == 0, "\(said.text)")
  }

  /// F40: the site is complete after every scheduled build, even if the build is disturbed.
  @Test(.needs(.root)) func `repeated builds keep the site complete and leak nothing`() throws {
    try Self.soak(
      "builds", "--count", Extent.isAll ? "50" : "12", "--every", Extent.isAll ? "15" : "4")
  }

  /// F40: a preview serves many visitors.
  @Test(.onlyInAll, .needs(.root))
  func `a server with many visitors leaks no resources`() throws {
    try Self.soak("serve", "--minutes", "1")
  }

  private static func soak(_ words: String...) throws {
    let said = try Self.run("soak", words)
    #expect(said.text.contains(/[1-9]\d* samples, 0 failures/), "\(said.text)")
    #expect(said.status == 0, "\(said.text)")
  }

  /// A simulated Kubernetes, a real Slurm, and GNU parallel over ssh.
  @Test(.onlyInAll, .needs(.root), arguments: ["kubernetes", "slurm", "parallel"])
  func `scheduler recipes publish the site even if a shard is killed`(kind: String) throws {
    let said = try Self.run("cluster", [kind])
    #expect(said.text.contains("\n\(kind): 0 failures"), "\(said.text)")
    #expect(said.status == 0, "\(said.text)")
  }

  private static let loopDevices = Need("root, loop devices and xfsprogs", mayMissInCI: true) {
    geteuid() == 0 && FileManager.default.isWritableFile(atPath: "/dev/loop-control")
      && FileManager.default.fileExists(atPath: "/usr/sbin/mkfs.xfs")
  }

  /// Runs a script with the program under test.
  private static func run(
    _ script: String, _ words: [String]
  ) throws -> (text: String, status: Int32?) {
    let run = try RunningProgram(["script/\(script)", "--program", BuiltProduct.sitegen] + words)
      .ending(within: 36_000)
    return (run.out + run.err, run.status)
  }
}

import TestSupport

struct ReleaseTests {
  /// H4: Checked by GitHub's schemas, zizmor and the tools of SPDX.
  @Test func `the scripts of a release and of the action work`() throws {
    let script = ["script/try_release.sh", BuiltProduct.sitegen]
    let run = try RunningProgram(script).ending(within: 300)
    #expect(run.status == 0, "\(run.out)\(run.err)")
  }
}

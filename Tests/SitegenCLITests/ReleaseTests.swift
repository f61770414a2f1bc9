import TestSupport

struct ReleaseTests {
  /// H4: Checked with GitHub's schemas, zizmor and the SPDX tools.
  @Test func `the release scripts and the GitHub action work`() throws {
    let script = ["script/try_release.sh", BuiltProduct.sitegen]
    let run = try RunningProgram(script).ending(within: 300)
    #expect(run.status == 0, "\(run.out)\(run.err)")
  }
}

import TestSupport

/// Follows docs/tutorial.md: runs its commands, and makes its changes to the manifest.
struct TutorialTests {
  private func withoutTimes(_ text: String) -> String {
    text.trimmingCharacters(in: .newlines).replacing(/\([0-9.]+ s\)/, with: "(… s)")
  }

  @Test func `the tutorial shows the actual output of its commands`() throws {
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "docs/recipes/photos/photos"),
      to: URL(fileURLWithPath: folder.path(of: "photos")))
    let programs = URL(fileURLWithPath: BuiltProduct.sitegen).deletingLastPathComponent().path
    for block in try Checkout.text(of: "docs/tutorial.md").components(separatedBy: "\n```") {
      if block.hasPrefix("diff\n") {
        let lines = block.split(separator: "\n").dropFirst()
        let old = lines.filter { $0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
        let new = lines.filter { $0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }.joined()
        let manifest = try folder.text(of: "team/manifest.yaml")
        try #require(manifest.contains(old))
        try folder.write(manifest.replacing(old, with: new), to: "team/manifest.yaml")
      }
      for command in block.components(separatedBy: "\n$ ").dropFirst() {
        let line = command.prefix { $0 != "\n" }
        let run = try RunningProgram(
          ["/bin/sh", "-c", "exec 2>&1; \(line)"], in: folder.path,
          environment: ["PATH": programs + ":/usr/bin:/bin"]
        ).ending()
        expect(withoutTimes("\(line)\n\(run.out)"), equals: withoutTimes(command))
      }
    }
    #expect(folder.exists("team/output/tags/birds/index.html"))
  }
}

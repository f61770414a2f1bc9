import SiteSupport

/// Runs the bucket upload commands of docs/howto/deploy.md against a folder.
struct BucketDeployTests {
  private static let tools = Checkout.root.appending(path: ".test-tools/bin").path
  private static let rclone = Need("rclone (script/bootstrap test)", file: tools + "/rclone")

  private func lines() throws -> [String] {
    let block = try #require(
      Checkout.blocks(of: "sh", in: "docs/howto/deploy.md").first { $0.contains("rclone copy ") })
    return block.replacingOccurrences(of: "\\\n", with: "").split(separator: "\n").map(String.init)
  }

  private func run(_ lines: [String], in site: TestSite, to bucket: TestSite) throws {
    let run = try RunningProgram(
      ["/bin/sh", "-ec", lines.joined(separator: "\n")], in: site.folder.path,
      environment: [
        "PATH": Self.tools + ":/usr/bin:/bin", "HOME": site.folder.path,
        "RCLONE_CONFIG": "/dev/null", "RCLONE_LOG_LEVEL": "ERROR",
      ]
    ).ending()
    #expect(run.status == 0, "\(run.err)")
  }

  @Test(.needs(rclone))
  func `pages stay complete while a bucket upload is running`() throws {
    let (site, bucket) = (try TestSite(), try TestSite())
    var lines = try lines()
    let words = lines.prefix { !$0.hasPrefix("rclone") }.map { line in
      line.hasPrefix("to=") ? "to='\(bucket.folder.path(of: "output"))'" : line
    }
    lines.removeAll { !$0.hasPrefix("rclone") }
    try #require(lines.count == 4)
    for people in [["a": "red", "b": "lime"], ["a": "blue", "c": "lime"], ["c": "lime"]] {
      try site.write(
        people.sorted { $0.key < $1.key }.map { Person($0.key, background: $0.value) },
        more: "pages: { people: true }")
      try site.build()
      for line in lines {
        try run(words + [line], in: site, to: bucket)
        // The start page does not exist before the first upload.
        guard bucket.folder.exists("output/index.html") else { continue }
        // A page that is about to be deleted may link to a card that no longer exists.
        let files = Set(bucket.outputFiles())
        let broken = try bucket.brokenLinks().filter { !files.contains($0.path ?? "") }
        #expect(broken == [], "\(line)")
      }
      let ours = site.outputFiles().filter { !$0.hasPrefix(".sitegen-") }
      #expect(bucket.outputFiles() == ours)
      for path in ours {
        #expect(
          try bucket.folder.read("output/\(path)") == site.folder.read("output/\(path)"), "\(path)")
      }
    }
  }
}

import Build
import TestSupport

struct MemoryTests {
  private static func picture(_ number: Int) -> Data {
    let gradient = TestPicture.gradient(width: 900 + number, height: 900)
    return TestPicture.png(width: 900, height: 900, kind: .color, pixel: gradient)
  }

  /// Returns the largest resident set of a build's processes, in KiB.
  private func peak(_ site: SiteFolder, pictures: Int) throws -> Int {
    let users = try (0..<pictures).map { number in
      try site.write(picture: Self.picture(number), to: "\(number).png")
      return (id: "\(number)", avatars: ["\(number).png"])
    }
    try site.write(users: users)
    let script =
      "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
      + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    let run = try site.run(
      SiteFolder.buildWords + ["--jobs", "2"], through: ["/usr/bin/env", "python3", "-c", script])
    #expect(run.status == 0, "\(run.err)")
    #expect(try site.report().counters.decodes == pictures)
    return try #require(Int(run.out.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// E7: peak memory depends on the number of jobs, not of users, and sources are not modified.
  @Test func `a build with six times as many pictures needs no more memory`() throws {
    let few = try peak(SiteFolder(), pictures: 4)
    let site = SiteFolder()
    let many = try peak(site, pictures: 24)
    #expect(many < few + 16 << 10)
    // 24 decoded pictures of 900 × 900 would need 155 MB.
    #expect(many < 130 << 10)
    let kept = try site.folder.read("content/7.png")
    #expect(kept == Self.picture(7))
  }
}

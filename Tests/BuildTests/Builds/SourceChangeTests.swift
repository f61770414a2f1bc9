import Files
import SiteSupport

/// Builds during which a picture changes between inspection and rendering.
///
/// At most 16 jobs wait for the only worker. So when the first of 40 pictures is done, the last
/// one has been inspected, but has not yet been read again for rendering.
struct SourceChangeTests {
  private func filled() throws -> TestSite {
    let site = try TestSite()
    for number in 0..<40 { try site.paint("\(number).png", TestPicture.Pixel(UInt8(number), 0, 0)) }
    try site.write((0..<40).map { Person("user-\($0)", "\($0).png") })
    return site
  }

  @Test func `a picture replaced during the build is inspected again`() throws {
    let site = try filled()
    let path = site.folder.path(of: "content/39.png")
    let green = TestPicture.png(width: 16, height: 16, kind: .color) { _, _ in .green }
    let problems = Locked<[String]>([])
    let result = try site.build(
      progress: { event in
        guard event == .rendering(done: 1, total: 40) else { return }
        do { try green.write(to: .init(fileURLWithPath: path)) } catch {
          problems.withLock { $0.append("\(error)") }
        }
      })
    #expect(problems.withLock { $0 }.isEmpty)
    #expect(result.exitStatus == 0 && result.report.users.ok == 40)
    #expect(result.report.counters.renders == 40)
    #expect(try site.pixels(of: "user-39").center == [0, 255, 0, 255])
    let again = try site.build().report.counters
    #expect(again.renders == 0 && again.written == 0)
  }

  @Test func `a picture removed during the build fails without affecting the others`() throws {
    let site = try filled()
    let path = site.folder.path(of: "content/39.png")
    let result = try site.build(
      progress: { event in
        guard event == .rendering(done: 1, total: 40) else { return }
        try? FileManager.default.removeItem(atPath: path)
      })
    #expect(result.exitStatus == 1 && result.report.users.ok == 39)
    #expect(result.report.failures.map(\.user) == ["user-39"])
    #expect(result.report.failures.map(\.reason) == ["source-unreadable"])
  }

  @Test func `a picture that keeps changing is rejected`() throws {
    let site = try filled()
    let folder = site.folder
    let round = Locked(0)
    let result = try site.build(
      progress: { event in
        // The second wave contains the twenty pictures that failed in the first.
        guard case .rendering(done: 1, _) = event else { return }
        let shade = round.withLock { round in
          round += 1
          return UInt8(100 + round)
        }
        for number in 20..<40 {
          let picture = TestPicture.png(width: 16, height: 16, kind: .color) { _, _ in
            TestPicture.Pixel(shade, UInt8(number), 0)
          }
          try? folder.write(picture, to: "content/\(number).png")
        }
      })
    #expect(result.report.users.total == 40)
    #expect(result.report.users.ok < 40 && result.report.users.ok >= 20)
    let failures = result.report.failures
    #expect(failures.count == result.report.users.failed)
    #expect(Set(failures.map(\.reason)) == ["source-changed"])
    #expect(try site.assets().users["user-39"]?.reason == "source-changed")
    // The files are valid again, so the next build includes everyone.
    #expect(try site.build().report.users.ok == 40)
  }
}

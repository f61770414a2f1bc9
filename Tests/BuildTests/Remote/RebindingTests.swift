import SiteSupport

@Suite(.needs(NamespaceLab.need)) struct RebindingTests {
  /// A user whose picture's host resolves to a test address, and the allowed results.
  struct Guest {
    let id: String
    var names: NameServer.Table = [:]
    var redirects: [String: String] = [:]
    /// Allowed failure reasons; empty if the picture must load.
    var reasons: Set<String> = []
    /// Whether the picture may instead load from a public address.
    var mayBeServed = false
    /// Whether the picture loads once and then never again.
    var losesIt = false

    /// The host name used in the manifest.
    var name: String { "\(id).example" }
  }

  private static let open = NamespaceLab.publicAddress
  private static let openNew = NamespaceLab.publicNewAddress

  private static func guest(
    _ id: String, _ answers: [String: [NameServer.Answer]], _ reasons: Set<String> = [],
    mayBeServed: Bool = false, losesIt: Bool = false
  ) -> Guest {
    Guest(
      id: id, names: ["\(id).example": answers], reasons: reasons, mayBeServed: mayBeServed,
      losesIt: losesIt)
  }

  /// Returns a guest whose host has a public address and redirects to another URL.
  private static func sent(_ id: String, to place: String, _ reasons: Set<String>) -> Guest {
    var guest = guest(id, ["A": [.records([open])]], reasons)
    guest.redirects["\(id).example/x.png"] = place
    return guest
  }

  private static let inside: Set<String> = ["address-not-public"]
  private static let nobody: Set<String> = ["host-not-found"]

  private static let guests: [Guest] =
    [
      guest("good", ["A": [.records([open])]]),
      guest("new", ["AAAA": [.records([openNew])]]),
      guest("both", ["A": [.records([open])], "AAAA": [.records([openNew])]]),
      guest("alias", ["CNAME": [.records(["good.example"])]]),
      guest("turns", ["A": [.records([open]), .records(["127.0.0.1"])]], inside, losesIt: true),
      guest(
        "turns-new", ["AAAA": [.records([openNew]), .records(["::1"])]], inside, losesIt: true),
      guest("inside", ["A": [.records(["127.0.0.1"])]], inside),
      guest("inside-new", ["AAAA": [.records(["::1"])]], inside),
      guest("ten", ["A": [.records(["10.0.0.1"])]], inside),
      guest("metadata", ["A": [.records(["169.254.169.254"])]], inside),
      guest("carrier", ["A": [.records(["100.64.0.1"])]], inside),
      guest("unique", ["AAAA": [.records(["fd00::1"])]], inside),
      guest("zero", ["A": [.records(["0.0.0.0"])]], inside),
      guest("mapped", ["AAAA": [.records(["::ffff:127.0.0.1"])]], inside),
      guest("translated", ["AAAA": [.records(["64:ff9b::7f00:1"])]], inside),
      guest(
        "mixed", ["A": [.records([open, "127.0.0.1"])]], inside.union(["connection-failed"]),
        mayBeServed: true),
      guest(
        "mixed-too", ["A": [.records(["127.0.0.1", open])]], inside.union(["connection-failed"]),
        mayBeServed: true),
      guest(
        "mixed-new", ["A": [.records([open])], "AAAA": [.records(["::1"])]],
        inside.union(["connection-failed"]), mayBeServed: true),
      guest("alias-inside", ["CNAME": [.records(["inside.example"])]], inside),
      guest("broken", ["A": [.servfail], "AAAA": [.servfail]], nobody),
      guest("silent", ["A": [.silence], "AAAA": [.silence]], nobody.union(["fetch-timeout"])),
      guest("nothing", [:], nobody),
      Guest(id: "missing", reasons: nobody),
      sent("to-metadata", to: "http://169.254.169.254/latest/", inside),
      sent("to-loopback", to: "http://127.0.0.1/x.png", inside),
      sent("to-mapped", to: "http://[::ffff:10.0.0.1]/x.png", inside),
      sent("to-inside", to: "http://inside.example/x.png", inside),
      sent("to-alias", to: "http://alias-inside.example/x.png", inside),
      sent("to-missing", to: "http://missing.example/x.png", nobody),
    ] + [returning]

  /// A guest whose host redirects to itself, and then resolves to another address.
  private static var returning: Guest {
    var guest = guest(
      "returning", ["A": [.records([open]), .records(["127.0.0.1"])]], inside, mayBeServed: true)
    guest.redirects["returning.example/x.png"] = "http://returning.example/y.png"
    return guest
  }

  private func plan(_ site: TestSite) throws -> NamespaceLab.Plan {
    var plan = NamespaceLab.Plan()
    for guest in Self.guests {
      plan.names.merge(guest.names) { first, _ in first }
      plan.redirects.merge(guest.redirects) { first, _ in first }
    }
    plan.picture = picture(.blue)
    plan.wrongPicture = picture(.red)
    let build = [
      BuiltProduct.sitegen, "build", "--manifest", site.folder.path(of: site.manifest), "--output",
      site.folder.path(of: "output"), "--cache", site.folder.path(of: "cache"), "--templates",
      site.folder.path(of: "templates"),
    ]
    // The second program refreshes, so every name is resolved again.
    plan.programs = [build, build + ["--refresh"]]
    plan.kept = ["cache/report.json", "output/assets.json"].map { site.folder.path(of: $0) }
    return plan
  }

  private func picture(_ color: TestPicture.Pixel) -> Data {
    TestPicture.png(width: 16, height: 16, kind: .color) { _, _ in color }
  }

  /// N3: the build connects to the address that was checked.
  @Test func `host names that resolve to private addresses are rejected`() throws {
    let site = try TestSite()
    try site.write(Self.guests.map { Person($0.id, "http://\($0.name)/x.png") })
    let lab = NamespaceLab()
    let result = try lab.run(plan(site))

    // Only the control connection was made.
    for (address, count) in result.canaries { #expect(count == 0, "\(address)") }
    let said = result.programs.map(\.said).joined(separator: "\n")
    #expect(result.programs.map(\.status) == [1, 1], "\(said)")

    for build in 0...1 {
      let decoder = JSONDecoder()
      let report = try decoder.decode(Report.self, from: lab.kept("report.json", after: build))
      let users = try decoder.decode(AssetsFile.self, from: lab.kept("assets.json", after: build))
        .users
      for guest in Self.guests {
        let reasons = report.failures.filter { $0.user == guest.id }.map(\.reason)
        let status = try #require(users[guest.id]?.status)
        let place: Comment = "\(guest.id), build \(build): \(status) \(reasons)\n\(said)"
        if guest.reasons.isEmpty || (guest.losesIt && build == 0) {
          #expect(status == "ok" && reasons.isEmpty, place)
        } else if guest.losesIt || (guest.mayBeServed && status != "failed") {
          // A picture that loaded once is cached.
          #expect(["ok", "stale"].contains(status), place)
          let stale = report.stale.filter { $0.user == guest.id }.map(\.reason)
          #expect(stale.isEmpty == (status == "ok") && guest.reasons.isSuperset(of: stale), place)
          if guest.losesIt { #expect(status == "stale", place) }
        } else {
          #expect(status == "failed" && users[guest.id]?.avatars.isEmpty == true, place)
          #expect(reasons.count == 1 && guest.reasons.isSuperset(of: reasons), place)
        }
      }
    }

    // Every loaded picture came from the public server.
    for (id, user) in try site.assets().users where !user.avatars.isEmpty {
      #expect(try site.pixels(of: id).center == [0, 0, 255, 255], "\(id)")
    }
    // The name changed during the test, and the second build got another address.
    #expect(result.questions.count { $0 == "A turns.example" } >= 2)
    #expect(result.requests.count { $0 == "turns.example/x.png" } == 1)
  }
}

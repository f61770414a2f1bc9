import Build
import Bytes
import Diagnostics
import Foundation
import SiteSupport
import Store
import TestSupport
import Testing

/// Two machines that share a folder: what one has rendered the other takes, if it is what it should be.
struct SharedStoreTests {
  private static let styles = [
    "name: round, size: 32, formats: [png, webp, avif]",
    "name: tile, size: 20, scales: [1], shape: square, formats: [png], focus: smart",
  ]

  private let folder = TemporaryFolder()

  private var address: String { "dir:\(folder.path(of: "store"))" }

  /// One machine: the same site, and a cache of its own.
  static func machine() throws -> TestSite {
    let site = try TestSite()
    for (name, color) in [("a.png", TestPicture.Pixel.red), ("b.png", .blue)] {
      try site.paint(name, color, side: 90)
    }
    try site.put(Array("no picture".utf8), at: "broken.png")
    try site.write(
      [
        Person("a", "a.png"), Person("b", "b.png"), Person("c", "initials"),
        Person("d", "broken.png", background: "lime"),
      ],
      styles: Self.styles, more: "exports: [sprites]")
    return site
  }

  @discardableResult
  private func build(
    _ site: TestSite, _ mode: SharedStore.Mode = .read, strict: Bool = false
  ) throws -> BuildResult {
    try site.build {
      $0.store = SharedStore.Location(address, mode: mode)
      $0.strict = strict
    }
  }

  private var objects: [String] {
    // The name of an object has 64 digits.
    folder.list().filter { $0.hasPrefix("store/ac/") && $0.utf8.count > 64 }
  }

  init() throws { try folder.makeFolder("store") }

  @Test func `what one machine has rendered the other takes, and both sites are equal`() throws {
    let (first, second) = (try Self.machine(), try Self.machine())
    let made = try build(first, .readwrite).report.counters
    #expect(made.storeHits == 0 && made.storeWrites > 0 && made.renders > 0)
    let taken = try build(second).report.counters
    #expect(taken.storeHits == made.renders && taken.renders == 0 && taken.storeWrites == 0)
    #expect(taken.workersStarted <= 1 && taken.decodes == 0)
    #expect(try first.snapshot() == second.snapshot())
    let again = try build(second).report.counters
    #expect(again.renders == 0 && again.storeHits == 0 && again.written == 0)
  }

  @Test func `who renders everything again takes nothing, and mends what lies there`() throws {
    try build(try Self.machine(), .write)
    let sound = try objects.map { try folder.read($0) }
    for path in objects { try folder.write("spoilt", to: path) }
    let site = try Self.machine()
    let counters = try site.build {
      $0.store = SharedStore.Location(address, mode: .readwrite)
      $0.force = true
    }.report.counters
    #expect(counters.storeHits == 0 && counters.renders > 0)
    #expect(try objects.map { try folder.read($0) } == sound)
  }

  @Test func `a new style is taken as well, by machines that have the others`() throws {
    let (first, second) = (try Self.machine(), try Self.machine())
    for site in [first, second] { try build(site, .readwrite) }
    for site in [first, second] {
      let text = try site.folder.text(of: site.manifest)
      try site.folder.write(
        text.replacingOccurrences(of: "size: 20", with: "size: 24"), to: site.manifest)
    }
    #expect(try build(first, .readwrite).report.counters.renders > 0)
    let taken = try build(second, .read).report.counters
    #expect(taken.renders == 0 && taken.storeHits > 0)
    #expect(try first.snapshot() == second.snapshot())
  }

  @Test func `a store is not written by who reads, nor read by who writes`() throws {
    try build(try Self.machine(), .read)
    #expect(objects == [])
    try build(try Self.machine(), .write)
    let there = objects
    #expect(!there.isEmpty)
    let counters = try build(try Self.machine(), .write).report.counters
    #expect(counters.storeHits == 0 && counters.renders > 0)
    #expect(objects == there)
  }

  @Test(arguments: ["flip", "cut", "swap", "empty", "long"])
  func `no lie is believed`(lie: String) throws {
    let plain = try Self.machine()
    try plain.build()
    try build(try Self.machine(), .write)
    let paths = objects
    let all = try paths.map { try folder.read($0) }
    for (number, path) in paths.enumerated() {
      var bytes = all[number]
      switch lie {
      case "flip": bytes[bytes.count * 3 / 4] ^= 1
      case "cut": bytes = bytes.prefix(bytes.count - 1)
      // Sound, and of another job.
      case "swap": bytes = all[(number + 1) % all.count]
      case "empty": bytes = Data()
      default: bytes.append(0)
      }
      try folder.write(bytes, to: path)
    }
    let site = try Self.machine()
    let result = try build(site)
    let problem = result.diagnostics.sorted.first { $0.id == "store-unusable" }
    #expect(problem?.severity == .note)
    #expect(try site.snapshot() == plain.snapshot())
    #expect(result.report.counters.storeHits == 0)
  }

  @Test func `a store that is away costs a note and no build`() throws {
    let plain = try Self.machine()
    try plain.build()
    try folder.remove("store")
    for mode in SharedStore.Mode.allCases {
      let site = try Self.machine()
      let result = try build(site, mode)
      #expect(result.exitStatus == 0)
      #expect(result.diagnostics.sorted.contains { $0.id == "store-unusable" })
      #expect(try site.snapshot() == plain.snapshot())
      #expect(folder.list() == [], "it is not made")
    }
  }

  @Test func `an object is a message of the protocol`() throws {
    let result = ActionResult([
      ActionResult.File(path: "answer", contents: Data("hello".utf8))
    ])
    let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    var wanted = Data([0x12, 0x55, 0x0A, 6]) + Data("answer".utf8)
    wanted += Data([0x12, 68, 0x0A, 64]) + Data(hash.utf8) + Data([0x10, 5])
    wanted += Data([0x2A, 5]) + Data("hello".utf8)
    #expect(result.bytes == wanted)
    #expect(ActionResult(wanted) == result)
    // As a server may write it: more fields, in another order.
    #expect(ActionResult(Data([0x20, 0x00]) + wanted + Data([0x2A, 1, 0x41])) == result)
    var random = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      var bytes = wanted
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = .random(in: 0...255, using: &random)
      }
      if let read = ActionResult(bytes.prefix(.random(in: 0...bytes.count, using: &random))) {
        #expect(
          read.files.allSatisfy {
            $0.contents.map { Digest(of: $0) == read.files[0].digest } ?? true
          })
      }
    }
  }
}

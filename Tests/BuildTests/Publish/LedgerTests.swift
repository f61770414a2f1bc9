import Files
import SiteSupport

struct LedgerTests {
  private let first = Digest(of: [1])
  private let second = Digest(of: [2])

  @Test func `lines are sorted by the bytes of their paths`() {
    let ledger = Ledger([
      .init(path: "b", size: 2, digest: second), .init(path: "a/b", size: 1, digest: first),
      .init(path: "a", size: 0, digest: first),
    ])
    #expect(
      String(decoding: ledger.bytes, as: UTF8.self) == """
        sitegen-files 1
        0 \(first.hex) a
        1 \(first.hex) a/b
        2 \(second.hex) b

        """)
    #expect(Ledger(parsing: ledger.bytes) == ledger)
  }

  @Test func `only image paths are content-addressed`() {
    let hex = first.hex
    let folder = "assets/\(hex.prefix(2))"
    for ending in ["png", "jpg", "webp"] {
      let path = "\(folder)/\(hex).\(ending)"
      #expect(Site.File(path: path, size: 1, digest: first).isNamedByContent)
      #expect(!Site.File(path: path, size: 1, digest: second).isNamedByContent)
    }
    let others = [
      "\(folder)/\(hex).gif", "\(folder)/\(hex)", "\(folder)/\(hex).png/a", "assets/\(hex).png",
      "assets.json", "assets", "u/a/small.png",
    ]
    for path in others {
      #expect(!Site.File(path: path, size: 1, digest: first).isNamedByContent, "\(path)")
    }
  }

  @Test func `ledgers with different lines are not equal`() {
    let ledger = Ledger(["a", "b"].map { .init(path: $0, size: 1, digest: first) })
    let lines = ledger.bytes.split(separator: UInt8(ascii: "\n"))
    let others = [
      lines + [Array("nonsense".utf8)[...]], [lines[0], lines[2], lines[1]], lines + [lines[2]],
      [lines[0], [], lines[1], lines[2]],
    ]
    for other in others {
      let read = Ledger(parsing: other.flatMap { $0 + [UInt8(ascii: "\n")] })
      #expect(read.entries == ledger.entries && read != ledger)
    }
  }

  @Test func `paths may contain spaces`() {
    let ledger = Ledger([.init(path: "a b  c", size: 1, digest: first)])
    #expect(Ledger(parsing: ledger.bytes) == ledger)
  }

  @Test func `if a path is listed twice, the later entry wins`() {
    let old = Ledger([.init(path: "a", size: 1, digest: first)])
    let new = Ledger([
      .init(path: "a", size: 2, digest: second), .init(path: "b", size: 1, digest: first),
    ])
    #expect(old.merging(new) == new)
    #expect(new.merging(old).entries.map(\.size) == [1, 1])
    #expect(new.subtracting(old).map(\.path) == ["b"])
    #expect(old.subtracting(new).isEmpty)
  }

  @Test func `during publishing, the ledger lists both the old and the new files`() {
    let old = Ledger([
      .init(path: "a", size: 1, digest: first), .init(path: "b", size: 1, digest: first),
    ])
    let new = Ledger([
      .init(path: "a", size: 2, digest: second), .init(path: "c", size: 1, digest: first),
    ])
    let union = old.unfinished(until: new)
    #expect(union.entries == old.merging(new).entries && union.earlier == [old.entries[0]])
    let read = Ledger(parsing: union.bytes)
    #expect(read == union && read.isUnfinished && read.isIntact)
    // A second build is killed, and a third one finishes.
    let third = Ledger([.init(path: "a", size: 3, digest: second)])
    #expect(read.unfinished(until: third).earlier.map(\.size) == [1, 2])
    #expect(!third.isUnfinished && Ledger(parsing: third.bytes) == third)
  }

  @Test func `a truncated ledger is detected`() {
    let bytes = Ledger([.init(path: "a", size: 1, digest: first)]).bytes
    for length in bytes.indices where length != Ledger().bytes.count {
      #expect(!Ledger(parsing: Array(bytes.prefix(length))).isIntact, "\(length)")
    }
    #expect(Ledger(parsing: bytes).isIntact && Ledger(parsing: Ledger().bytes).isIntact)
  }

  @Test func `a ledger from another version is ignored`() {
    let line = "1 \(first.hex) a\n"
    for header in ["", "sitegen-files 2\n", "sitegen-files 1 \n", "\n"] {
      #expect(Ledger(parsing: Array((header + line).utf8)).entries.isEmpty, "\(header)")
    }
  }

  @Test func `complete lines in a truncated ledger are used`() {
    let whole = Ledger((0..<9).map { .init(path: "file-\($0)", size: 7, digest: first) })
    let entries = Set(whole.entries)
    for length in whole.bytes.indices {
      let cut = Ledger(parsing: Array(whole.bytes.prefix(length)))
      // The path on an incomplete line may be incomplete.
      let lines = whole.bytes.prefix(length).count { $0 == UInt8(ascii: "\n") }
      #expect(cut.entries.count == max(lines - 1, 0))
      #expect(entries.isSuperset(of: cut.entries))
    }
  }
}

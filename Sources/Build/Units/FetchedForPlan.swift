import Bytes
import Files
import Foundation
import Plan
import Recipes
import Store

/// What the machine that planned has fetched, for another that assembles or plans: what is known of each
/// address, and the lists of people.
///
/// Pictures are in the packs of sources already. Who knows their sizes and finds them rendered
/// needs no more.
enum FetchedForPlan {
  private enum Tag {
    static let records: UInt8 = 1
    static let list: UInt8 = 2
  }

  /// Under the name of the plan: equal sites have equal plans, whenever they were fetched.
  static func key(of plan: Digest) -> Digest { JobUnit.key("fetched", [plan]) }

  /// Puts what is known there; `keys` are those of addresses and lists, the first of which was looked at
  /// at that moment or later.
  static func put(
    _ keys: [Digest], lists: [Digest], since moment: Int64, for plan: Digest,
    in store: any ObjectStore, _ context: BuildContext
  ) throws {
    guard !keys.isEmpty else { return }
    let chunks = Chunks(of: keys, size: 8192).map { $0 }
    try Pack.put(count: chunks.count + lists.count, as: key(of: plan), in: store) { number in
      guard number < chunks.count else {
        // One that is lost is fetched again.
        return try context.original(lists[number - chunks.count]).map { Data([Tag.list]) + $0 }
          ?? Data()
      }
      let keys = Array(chunks[number])
      let found = zip(keys, try context.addresses().get(.fetches, keys)).compactMap { key, record in
        record.map { (key: key, record: $0, kept: FetchRecord.record(of: $0)?.kept?.digest) }
      }
      let kept = found.compactMap(\.kept)
      let facts = zip(kept, try context.index.get(.facts, kept)).compactMap { digest, facts in
        facts.map { (digest: digest, facts: $0) }
      }
      var writer = ByteWriter()
      writer.write(Tag.records)
      writer.write(moment)
      for part in [found.map { ($0.key, $0.record) }, facts] {
        writer.write(UInt32(part.count))
        for (key, value) in part {
          writer.write(key)
          writer.write(counted: Data(value))
        }
      }
      return Data(writer.bytes)
    }
  }

  /// Takes what is not older there than here; nothing of what is damaged.
  ///
  /// - Returns: When the plan was made, if something was fetched for it.
  @discardableResult
  static func take(
    for plan: Digest, from store: any ObjectStore, _ context: BuildContext
  ) throws -> Int64? {
    var plannedAt: Int64?
    try Pack.forEach(in: key(of: plan), store) { piece in
      try context.cancellation.check()
      switch piece.first {
      case Tag.list: try context.originals.put(Data(piece.dropFirst()))
      case Tag.records:
        guard let records = try? Records(Array(piece.dropFirst())) else { return }
        plannedAt = records.plannedAt
        let addresses = try context.addresses()
        let own = try addresses.get(.fetches, records.records.map(\.key))
        let news = zip(records.records, own).filter { theirs, own in
          guard theirs.value != own, let theirs = FetchRecord.record(of: theirs.value) else {
            return false
          }
          return own.flatMap(FetchRecord.record).map { !theirs.isOlder(than: $0) } ?? true
        }
        try addresses.put(.fetches, news.map(\.0))
        let known = try context.index.get(.facts, records.facts.map(\.key))
        try context.index.put(
          .facts,
          zip(records.facts, known).filter { theirs, own in
            own == nil && InspectionRecord.facts(of: theirs.value) != nil
          }.map(\.0))
      default: return
      }
    }
    return plannedAt
  }

  /// As one piece of the pack has them.
  struct Records {
    typealias Part = [(key: Digest, value: [UInt8])]

    var plannedAt: Int64
    var records: Part
    var facts: Part

    init(_ bytes: [UInt8]) throws(ByteReader.Malformed) {
      var reader = ByteReader(bytes)
      func part() throws(ByteReader.Malformed) -> Part {
        var part: Part = []
        for _ in 0..<(try reader.read(UInt32.self)) {
          part.append((try reader.readDigest(), Array(try reader.readCounted())))
        }
        return part
      }
      plannedAt = try reader.read(Int64.self)
      records = try part()
      facts = try part()
      guard reader.isAtEnd else { throw ByteReader.Malformed() }
    }
  }
}

extension RemoteRecord {
  /// A failure says something only of the time after the picture was last confirmed.
  fileprivate func isOlder(than other: RemoteRecord) -> Bool {
    (checkedAt, failure?.until ?? 0) < (other.checkedAt, other.failure?.until ?? 0)
  }
}

/// Fetched pictures that another machine has put beside the units of a plan.
final class SourcesOfPlan: Sendable {
  private let plan: JobPlan
  private let store: any ObjectStore
  private let originals: BlobStore
  private let cancellation: Cancellation
  /// The packs that have a source; nil before somebody misses one.
  private let packs = Guarded<[Digest: (key: Digest, digests: [Digest])]?>(nil)

  init(_ plan: JobPlan, in store: any ObjectStore, _ context: BuildContext) {
    (self.plan, self.store) = (plan, store)
    (originals, cancellation) = (context.originals, context.cancellation)
  }

  /// Takes the pack that has a source, since its neighbours will be missed too.
  @Sendable func take(_ digest: Digest) throws -> Data? {
    // One after the other, since others wait for the same pack.
    try packs.withLock { packs in
      if let own = try originals.get(digest) { return own }
      if packs == nil { packs = try all() }
      guard let pack = packs?[digest] else { return nil }
      // What it does not have now it will not have for the next one.
      for name in pack.digests { packs?[name] = nil }
      guard let pieces = try Pack.get(pack.key, count: pack.digests.count, in: store) else {
        return nil
      }
      for (name, piece) in zip(pack.digests, pieces) where Digest(of: piece) == name {
        try originals.put(piece, as: name)
      }
      return try originals.get(digest)
    }
  }

  private func all() throws -> [Digest: (key: Digest, digests: [Digest])] {
    var packs: [Digest: (key: Digest, digests: [Digest])] = [:]
    let queue = try WorkQueue(waiting: "units", width: 16, cancellation: cancellation)
    try queue.map(plan.units.compactMap { Digest(hex: $0) }) { [store] digest in
      try store.get(.bytes(digest)).flatMap {
        Digest(of: $0) == digest ? try? JobUnit($0) : nil
      }
    } receive: { _, unit in
      guard let unit = try unit.get(), case let digests = unit.packed, !digests.isEmpty else {
        return
      }
      for digest in digests { packs[digest] = (unit.sourcesKey, digests) }
    }
    return packs
  }
}

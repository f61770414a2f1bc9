import Bytes
import Recipes
import Store

/// Inspections of fetched bytes, read and written in batches: a look at the index for each would
/// cost more than the rest of the work.
struct InspectionCache {
  private var known: [Digest: Result<Inspection, Rejection>] = [:]
  private var news: [(key: Digest, value: [UInt8])] = []
  private let context: BuildContext

  /// Reads the inspections of bytes that were fetched earlier.
  init(of digests: [Digest], _ context: BuildContext) throws {
    self.context = context
    let digests = Array(Set(digests))
    for (digest, bytes) in zip(digests, try context.index.get(.facts, digests)) {
      known[digest] = bytes.flatMap(InspectionRecord.facts)
    }
  }

  /// The inspection of a blob; nil when the blob is lost.
  subscript(digest: Digest) -> Result<Inspection, Rejection>? {
    mutating get throws {
      if let facts = known[digest] { return facts }
      guard let bytes = try context.original(digest) else { return nil }
      let facts = Inspection.result(of: bytes)
      add(facts, of: digest)
      return facts
    }
  }

  mutating func add(_ facts: Result<Inspection, Rejection>, of digest: Digest) {
    guard known.updateValue(facts, forKey: digest) == nil else { return }
    news.append((digest, InspectionRecord.bytes(of: facts)))
  }

  /// Writes new inspections to the index.
  mutating func keep() throws {
    if !news.isEmpty { try context.index.put(.facts, news) }
    news = []
  }
}

import Foundation
import Recipes
import Store

/// What the bytes that were fetched are, while they are gathered.
///
/// Asking the index for each of them costs more than all else that is done about it.
struct InspectionCache {
  private var known: [Digest: Result<Inspection, Rejection>] = [:]
  private var news: [(key: Digest, value: [UInt8])] = []
  private let context: BuildContext

  /// - Parameters:
  ///   - digests: Of bytes that were fetched earlier.
  ///   - context: Has the index.
  /// - Throws: When the index cannot be used.
  init(of digests: [Digest], _ context: BuildContext) throws {
    self.context = context
    let digests = Array(Set(digests))
    for (digest, bytes) in zip(digests, try context.index.get(.facts, digests)) {
      known[digest] = bytes.flatMap(InspectionRecord.facts)
    }
  }

  /// What the bytes with a digest are; nil when they are lost.
  subscript(digest: Digest) -> Result<Inspection, Rejection>? {
    mutating get throws {
      if let facts = known[digest] { return facts }
      guard let bytes = try context.originals.get(digest) else { return nil }
      let facts = Self.facts(of: bytes)
      add(facts, of: digest)
      return facts
    }
  }

  static func facts(of bytes: Data) -> Result<Inspection, Rejection> {
    Result { () throws(Rejection) in try Inspection(inspecting: bytes) }
  }

  mutating func add(_ facts: Result<Inspection, Rejection>, of digest: Digest) {
    guard known.updateValue(facts, forKey: digest) == nil else { return }
    news.append((digest, InspectionRecord.bytes(of: facts)))
  }

  /// Writes down what is new.
  mutating func keep() throws {
    if !news.isEmpty { try context.index.put(.facts, news) }
    news = []
  }
}

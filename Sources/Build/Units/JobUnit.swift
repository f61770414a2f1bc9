import Bytes
import Foundation
import Plan
import Recipes
import Store
import Workers

/// Jobs that one machine renders together: some hundred people.
///
/// Equal jobs are an equal unit, whatever plan it is in: its results are found by what it says.
struct JobUnit: Sendable {
  struct Job: Sendable {
    var source: RenderSource
    /// Of the source's bytes, or what stands in for them.
    var digest: Digest
    /// Where the bytes are in a folder that all machines see; nil where they are in the store.
    var file: String?
    /// By their numbers among all of the unit.
    var recipes: [Int]

    var hasBytes: Bool { if case .encoded = source { true } else { false } }
  }

  /// What renders it, as its fingerprint says.
  var renderer: String
  private(set) var recipes: [Recipe] = []
  private(set) var jobs: [Job] = []
  private var numbers: [Recipe: Int] = [:]

  init(renderer: String) { self.renderer = renderer }

  mutating func add(_ recipes: [Recipe], of source: RenderSource, _ digest: Digest, file: String?) {
    let numbers = recipes.map { recipe in
      if let number = self.numbers[recipe] { return number }
      self.numbers[recipe] = self.recipes.count
      self.recipes.append(recipe)
      return self.recipes.count - 1
    }
    jobs.append(Job(source: source, digest: digest, file: file, recipes: numbers))
  }

  func recipes(of job: Job) -> [Recipe] { job.recipes.map { recipes[$0] } }

  /// The digests of sources in the store, each once.
  var packed: [Digest] {
    var seen: Set<Digest> = []
    return jobs.filter { $0.hasBytes && $0.file == nil }.map(\.digest).filter {
      seen.insert($0).inserted
    }
  }

  /// The name of the pack of its sources.
  var sourcesKey: Digest { Self.key("sources", packed) }

  /// The name of the pack of what was rendered, for a unit with these bytes.
  static func resultKey(of unit: Digest) -> Digest { key("unit", [unit]) }

  static func key(_ kind: String, _ parts: [Digest]) -> Digest {
    var stream = DigestStream()
    stream.update(Array("sitegen \(kind) 1\n".utf8))
    for part in parts { stream.update(part.bytes) }
    return stream.finish()
  }

  /// The render keys of all images of each job.
  func keys() throws -> [[Digest]] {
    let keys = try recipes.map { try RenderKey(recipe: $0, fingerprint: renderer) }
    return jobs.map { job in job.recipes.map { keys[$0].key(of: job.digest) } }
  }
}

// MARK: - As bytes

extension JobUnit {
  private static let version: UInt8 = 1
  /// Of one job: as many as 64 megapixels are in the smallest icons.
  private static let mostImages = 1 << 18

  /// The same for equal jobs in the same order.
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var writer = ByteWriter()
    writer.write(Self.version)
    writer.write(renderer)
    writer.write(UInt32(recipes.count))
    for recipe in recipes { writer.write(counted: try encoder.encode(recipe)) }
    writer.write(UInt32(jobs.count))
    for job in jobs {
      writer.write(counted: try encoder.encode(job.source))
      writer.write(job.digest)
      writer.write(job.file ?? "")
      writer.write(UInt32(job.recipes.count))
      for number in job.recipes { writer.write(UInt32(number)) }
    }
    return Data(writer.bytes)
  }

  /// - Throws: For what is no unit, such as that of another version.
  init(_ bytes: Data) throws {
    let decoder = JSONDecoder()
    var reader = ByteReader(Array(bytes))
    guard try reader.read(UInt8.self) == Self.version else { throw ByteReader.Malformed() }
    renderer = try reader.readText()
    for _ in 0..<(try reader.read(UInt32.self)) {
      recipes.append(try decoder.decode(Recipe.self, from: Data(try reader.readCounted())))
    }
    for _ in 0..<(try reader.read(UInt32.self)) {
      let source = try decoder.decode(RenderSource.self, from: Data(try reader.readCounted()))
      let digest = try reader.readDigest()
      let file = try reader.readText()
      var numbers: [Int] = []
      let count = try reader.read(UInt32.self)
      guard count <= Self.mostImages else { throw ByteReader.Malformed() }
      for _ in 0..<count {
        numbers.append(Int(try reader.read(UInt32.self)))
      }
      guard source.mayTravel, numbers.allSatisfy(recipes.indices.contains) else {
        throw ByteReader.Malformed()
      }
      jobs.append(
        Job(source: source, digest: digest, file: file.isEmpty ? nil : file, recipes: numbers))
    }
    guard reader.isAtEnd, recipes.allSatisfy(\.isBounded) else { throw ByteReader.Malformed() }
  }
}

// Somebody else may have written the unit: what is computed with its numbers must not overflow.
extension Recipe {
  fileprivate var isBounded: Bool {
    let limits = 0...1 << 15
    let sizes = [frame.box.width, frame.box.height, frame.base.width, frame.base.height]
    return sizes.allSatisfy { limits.contains($0) && $0 > 0 }
      && [margins.top, margins.right, margins.bottom, margins.left].allSatisfy(limits.contains)
  }
}

extension RenderSource {
  /// Whether it is of a kind that travels; the bytes of a file are looked at when they are there.
  fileprivate var mayTravel: Bool {
    switch self {
    case .encoded(_, let reduction): (1...8).contains(reduction)
    case .color, .generated: true
    case .raster, .sheet, .collage: false
    }
  }
}

/// What became of a job of a unit, as it lies in a pack.
enum UnitResult {
  /// What a worker answered.
  case answer(Data)
  /// Why there is none: a crash, a lack of memory or of time. Whoever assembles tries again.
  case failed(Rejection)

  private enum Tag {
    static let answer: UInt8 = 0
    static let failed: UInt8 = 1
  }

  var piece: Data {
    var writer = ByteWriter()
    switch self {
    case .answer(let answer): return Data([Tag.answer]) + answer
    case .failed(let rejection):
      writer.write(Tag.failed)
      writer.write(rejection)
      return Data(writer.bytes)
    }
  }

  init?(_ piece: Data) {
    switch piece.first {
    case Tag.answer: self = .answer(piece.dropFirst())
    case Tag.failed:
      guard
        let rejection = ByteReader.all(
          of: Array(piece.dropFirst()),
          { reader throws(ByteReader.Malformed) in try reader.readRejection() })
      else { return nil }
      self = .failed(rejection)
    default: return nil
    }
  }
}

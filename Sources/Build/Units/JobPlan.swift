import Bytes
import Diagnostics
import Foundation
import Store

/// All that a site needs rendered, divided into units; its digest is what people pass around.
struct JobPlan: Codable, Sendable {
  var version = 1
  /// The fingerprint of the renderer that made it: no other may render or assemble it.
  var renderer: String
  /// How many processes share the units, if they say nothing else.
  var shards: Int
  /// What workers start with, by digest: fonts, badges, the data of a detector.
  var resources: [String]
  /// Whether a badge is an SVG.
  var draws: Bool
  /// In the order of the people.
  var units: [String]
  var images: Int

  static let version = 1

  /// The units of a shard; the others have the rest.
  func units(of shard: Int, among shards: Int) -> [Digest] {
    units.indices.filter { $0 % shards == shard }.compactMap { Digest(hex: units[$0]) }
  }

  /// Puts it into a store.
  func put(in store: any ObjectStore) throws -> Digest {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let bytes = try encoder.encode(self)
    let digest = Digest(of: bytes)
    try store.put(bytes, as: .bytes(digest))
    return digest
  }

  /// Reads it from a store.
  ///
  /// - Throws: `BuildFailure` where there is none, or one of another version.
  init(_ digest: Digest, in store: any ObjectStore) throws {
    guard let bytes = try store.get(.bytes(digest)), Digest(of: bytes) == digest else {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .planUnusable, "\(store.address) has no plan \(digest.hex)",
          help: "`sitegen plan` puts one there, and prints its name"))
    }
    guard let plan = try? JSONDecoder().decode(JobPlan.self, from: bytes),
      plan.version == Self.version, plan.shards > 0,
      plan.units.allSatisfy({ Digest(hex: $0) != nil })
    else {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .planUnusable, "\(digest.hex) is no plan that this version knows",
          help: "plan again with the version that shall render"))
    }
    self = plan
  }

  init(renderer: String, shards: Int, resources: [String], draws: Bool) {
    (self.renderer, self.shards) = (renderer, shards)
    (self.resources, self.draws) = (resources, draws)
    (units, images) = ([], 0)
  }
}

extension PlanLocation {
  func open(_ cancellation: Cancellation) throws -> (JobPlan, any ObjectStore) {
    let store = try store.open(isCancelled: { cancellation.isCancelled })
    return (try JobPlan(digest, in: store), store)
  }
}

extension BuildFailure {
  static func incomplete(units: Int, of all: Int, such first: Digest) -> BuildFailure {
    .incomplete(
      Diagnostic(
        .error, .planIncomplete, "\(units) of \(all) units of the plan are not rendered",
        note: "such as \(first.hex)",
        help: "`sitegen status --missing` names the shards to render again"))
  }

  static func otherRenderer(_ plan: String, _ here: String) -> BuildFailure {
    .usage(
      Diagnostic(
        .error, .planUnusable, "the plan was made for another renderer than the one here",
        note: "it wants \(plan); here is \(here)",
        help: "use one version of sitegen and of its libraries everywhere, and plan with it"))
  }
}

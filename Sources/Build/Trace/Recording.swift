package import Bytes

/// What was measured while a build ran; its size does not grow with the build.
///
/// All times are nanoseconds since the recording began.
package struct Recording: Sendable {
  package struct Stage: Sendable, Hashable {
    package var name: String
    package var start: Int
  }

  /// The time of one source, over all its jobs.
  package struct SourceWork: Sendable, Hashable {
    package var digest: Digest
    /// A path beneath the manifest's folder, or the kind of what is drawn.
    package var name: String
    package var isFile: Bool
    package var images = 0
    package var nanoseconds = 0

    package init(digest: Digest, name: String, isFile: Bool) {
      self.digest = digest
      self.name = name
      self.isFile = isFile
    }
  }

  /// In the order of the sentence.
  package private(set) var stages: [Stage] = []
  /// As many as items ran at the same time.
  package private(set) var lanes: [Timeline] = []
  private var isTaken: [Bool] = []
  private var sources: [Digest: SourceWork] = [:]

  /// With more sources than these, the quicker half is forgotten.
  private static let sourceLimit = 4096

  package init() {}

  package mutating func startStage(_ name: String, at moment: Int) {
    stages.append(Stage(name: name, start: moment))
  }

  /// Takes the first free lane.
  package mutating func takeLane() -> Int {
    if let free = isTaken.firstIndex(of: false) {
      isTaken[free] = true
      return free
    }
    isTaken.append(true)
    lanes.append(Timeline())
    return lanes.count - 1
  }

  /// Gives a lane back, with what was done in it.
  package mutating func leave(lane: Int, _ kind: WorkKind, from start: Int, to end: Int) {
    lanes[lane].add(kind, from: start, to: end)
    isTaken[lane] = false
  }

  /// Adds a job of a source.
  ///
  /// All jobs of a source come within a short time, so a slow source is not forgotten in between.
  package mutating func add(_ work: SourceWork, images: Int, nanoseconds: Int) {
    sources[work.digest, default: work].images += images
    sources[work.digest, default: work].nanoseconds += nanoseconds
    guard sources.count > Self.sourceLimit else { return }
    let kept = slowest(Self.sourceLimit / 2)
    sources = Dictionary(uniqueKeysWithValues: kept.map { ($0.digest, $0) })
  }

  /// The slowest first; of equal ones the name decides.
  package func slowest(_ limit: Int) -> [SourceWork] {
    Array(
      sources.values.sorted {
        $0.nanoseconds == $1.nanoseconds
          ? ($0.name, $0.digest.hex) < ($1.name, $1.digest.hex) : $0.nanoseconds > $1.nanoseconds
      }.prefix(limit))
  }

  /// The time of each stage until a moment; the times of a stage that comes twice are added.
  package func durations(until end: Int) -> [(name: String, nanoseconds: Int)] {
    var durations: [(name: String, nanoseconds: Int)] = []
    for (number, stage) in stages.enumerated() {
      let next = number + 1 < stages.count ? stages[number + 1].start : end
      let passed = max(next - stage.start, 0)
      if let known = durations.firstIndex(where: { $0.name == stage.name }) {
        durations[known].nanoseconds += passed
      } else {
        durations.append((stage.name, passed))
      }
    }
    return durations
  }
}

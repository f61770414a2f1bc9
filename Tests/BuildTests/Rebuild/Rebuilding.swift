import Files
import SiteSupport

/// A site in watch mode.
final class Rebuilding: Sendable {
  let rebuilder: Rebuilder
  let stop = Cancellation()
  private let elapsed: Elapsed

  /// - Parameters:
  ///   - site: The site to build.
  ///   - gate: The gate at which workers wait.
  ///   - jobs: The number of jobs.
  ///   - strict: Whether a failure prevents publishing.
  ///   - list: A list of people to use instead of a manifest.
  init(
    _ site: TestSite, gate: ProgramGate? = nil, jobs: Int = 1, strict: Bool = false,
    list: String? = nil
  ) {
    var options = site.options(jobs: jobs)
    options.strict = strict
    if let list {
      options.manifest = site.folder.path(of: list)
      options.manifestText = "version: 1\nusers: { from: \(list) }\nfallback: initials\n"
    }
    let start = ContinuousClock.now
    let elapsed = Elapsed()
    self.elapsed = elapsed
    rebuilder = Rebuilder(
      options, cancellation: stop, environment: gate?.variables,
      clock: { start + elapsed.time.withLock(\.self) })
  }

  deinit { rebuilder.close() }

  private final class Elapsed: Sendable {
    let time = Locked(Duration.zero)
  }

  /// Advances the clock of the cancellation limit.
  func wait(_ time: Duration) { elapsed.time.withLock { $0 += time } }

  /// Rebuilds and returns the report; nil if nothing was published.
  @discardableResult
  func rebuild() -> Report? { rebuilder.rebuild().report }

  func begin() -> Running {
    let running = Running()
    let rebuilder = rebuilder
    Thread.detachNewThread { running.end(rebuilder.rebuild()) }
    return running
  }

  final class Running: Sendable {
    private let result = Locked<Rebuilt?>(nil)

    func end(_ rebuilt: Rebuilt) { result.withLock { $0 = rebuilt } }

    /// The result, or nil while the rebuild runs.
    var now: Rebuilt? { result.withLock { $0 } }

    func ended() -> Rebuilt? {
      _ = eventually { result.withLock { $0 != nil } }
      return result.withLock { $0 }
    }
  }
}

extension Rebuilt {
  var isSuperseded: Bool { if case .superseded = self { true } else { false } }
  var report: Report? { if case .built(let result, _) = self { result.report } else { nil } }
  /// The changed paths; nil if the rebuild failed.
  var changed: [String]? { if case .built(_, let changed) = self { changed } else { nil } }
  var failure: BuildFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension TestPicture.Pixel {
  var rgba: [UInt8] { [red, green, blue, alpha] }
}

extension TestSite {
  /// Overwrites a picture with the current time, as an editor does.
  func repaint(_ name: String, _ color: TestPicture.Pixel) throws {
    let bytes = TestPicture.png(width: 16, height: 16, kind: .color) { _, _ in color }
    try folder.write(bytes, to: "content/\(name)")
  }

  func source(_ name: String) -> String { folder.path(of: "content/\(name)") }

  /// Returns the digests of a cold build of the same content.
  func coldSnapshot() throws -> [String: [UInt8]] {
    let other = TemporaryFolder(inMemory: true)
    try build { options in
      options.output = other.path(of: "output")
      options.cache = other.path(of: "cache")
    }
    return Self.files(other, beneath: "output/")
  }

  func files() -> [String: [UInt8]] { Self.files(folder, beneath: "output/") }

  private static func files(
    _ folder: TemporaryFolder, beneath prefix: String
  ) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in folder.list() where path.hasPrefix(prefix) {
      // A folder cannot be read as a file.
      guard !path.hasSuffix("/.sitegen-lock"), let bytes = try? folder.read(path) else { continue }
      files[String(path.dropFirst(prefix.count))] = [UInt8](bytes)
    }
    return files
  }
}

import Bytes
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// Finds the next source of every user who needs one, and whether it works.
///
/// A file with a remembered, trustworthy stamp is not opened: the index has its digest and its
/// inspection.
struct Gatherer: Sendable {
  let files: FileSource
  /// Names the manifest's folder in the index, so that two manifests may share one.
  let root: String
  let index: Index
  let queue: WorkQueue
  let tally: Tally
  let fonts: FontChain
  let remote: RemoteSources

  /// Gives every pending user a source or the end of its list.
  ///
  /// Files in `afresh` have changed while they were used: their remembered stamps say nothing.
  ///
  /// - Throws: When the index cannot be used.
  func gather(
    _ assignment: inout SourceAssignment, into set: inout SourceSet,
    afresh: Set<AvatarSource.Kind> = []
  ) throws {
    while true {
      let kinds = assignment.assign(from: set)
      if kinds.isEmpty { return }
      try gather(kinds, into: &set, afresh: afresh)
    }
  }

  /// Finds a source for each kind: files and drawn ones first, then addresses.
  func gather(
    _ kinds: [AvatarSource.Kind], into set: inout SourceSet, afresh: Set<AvatarSource.Kind> = []
  ) throws {
    var near: [AvatarSource.Kind] = []
    var far: [RemoteAddress] = []
    for kind in kinds {
      if case .remote(let address) = kind { far.append(address) } else { near.append(kind) }
    }
    try gather(near: near, into: &set, afresh: afresh)
    let lost = far.filter { afresh.contains(.remote($0)) }
    try remote.gather(far, afresh: Set(lost)) { address, finding in
      let kind = AvatarSource.Kind.remote(address)
      switch finding.result {
      case .success(let source): set.add(source, for: kind)
      case .failure(let rejection): set.add(rejection, for: kind)
      }
      set.note(kind, finding.staleness, until: finding.until)
    }
  }

  private func gather(
    near kinds: [AvatarSource.Kind], into set: inout SourceSet, afresh: Set<AvatarSource.Kind>
  ) throws {
    try queue.map(
      Chunks(of: kinds, size: 256), work: { try look(at: $0, afresh: afresh) },
      receive: { _, result in
        for finding in try result.get() {
          switch finding.result {
          case .success(let source): set.add(source, for: finding.kind)
          case .failure(let rejection): set.add(rejection, for: finding.kind)
          }
          if case .file(let path) = finding.kind {
            set.note(
              path, finding.stamp, isTrustworthy: finding.isTrustworthy, isProven: finding.isProven)
            set.note(finding.kind, finding.staleness)
          }
        }
      })
  }

  private struct Finding: Sendable {
    var kind: AvatarSource.Kind
    var result: Result<Source, Rejection>
    /// The stamp of a file when its bytes were hashed.
    var stamp: FileStamp?
    var isTrustworthy = true
    /// Whether it is known that its bytes give pictures.
    var isProven = true
    var staleness: Staleness?

    /// Why a file is of no use that is there, and may be read; nil for everything else.
    var spoilt: Rejection? {
      guard case .failure(let rejection) = result, stamp != nil || !isTrustworthy,
        rejection.reason != .outsideRoot, rejection.reason != .notRegular
      else { return nil }
      return rejection
    }
  }

  private func look(
    at kinds: ArraySlice<AvatarSource.Kind>, afresh: Set<AvatarSource.Kind>
  ) throws -> [Finding] {
    let (known, records) = try remembered(kinds, afresh: afresh)
    var news = News()
    var findings = try kinds.map { kind in
      switch kind {
      case .color(let color):
        return Finding(kind: kind, result: .success(Source(color: color)))
      case .initials(let monogram):
        return Finding(kind: kind, result: try initials(monogram))
      case .identicon(let id):
        let source = try Source(.identicon(Identicon(of: id)), kind: kind.names.kind)
        return Finding(kind: kind, result: .success(source))
      case .faulty(let rejection):
        return Finding(kind: kind, result: .failure(rejection))
      case .inline(let picture):
        return Finding(
          kind: kind,
          result: Inspection.result(of: picture.bytes).map {
            Source(
              digest: picture.digest, origin: .inline(picture), kind: kind.names.kind,
              inspection: $0)
          })
      case .remote:
        preconditionFailure("addresses are gathered elsewhere")
      case .file(let path):
        return known[kind] ?? inspect(path, records[path.text], &news)
      }
    }
    for (number, finding) in findings.enumerated() {
      guard case .file(let path) = finding.kind, let rejection = finding.spoilt,
        let good = records[path.text]?.good,
        let (source, staleness) = try earlier(path, good, rejection)
      else { continue }
      findings[number].result = .success(source)
      findings[number].staleness = staleness
    }
    if !news.stamps.isEmpty { try index.put(.stamps, news.stamps) }
    if !news.gone.isEmpty { try index.remove(.stamps, news.gone) }
    if !news.facts.isEmpty { try index.put(.facts, news.facts) }
    return findings
  }

  private func initials(_ monogram: Monogram) throws -> Result<Source, Rejection> {
    guard let text = monogram.text else {
      return .failure(Rejection(.noInitials, "neither the name nor the id has a letter"))
    }
    switch fonts.fonts(for: text) {
    case .success(let digests):
      return .success(
        try Source(
          .initials(
            Initials(
              text: text, ink: monogram.ground.ink, ground: monogram.ground, fonts: digests)),
          kind: "initials"))
    case .failure(let rejection):
      return .failure(rejection)
    }
  }

  /// The findings that the index has of files that have not changed since, and its records of all
  /// by path.
  private func remembered(
    _ kinds: ArraySlice<AvatarSource.Kind>, afresh: Set<AvatarSource.Kind>
  ) throws -> (known: [AvatarSource.Kind: Finding], records: [String: StampRecord]) {
    let paths = kinds.compactMap { kind in if case .file(let path) = kind { path.text } else { nil }
    }
    let stamps = try index.get(.stamps, paths.map(key))
    var files: [(path: String, record: StampRecord)] = []
    var records: [String: StampRecord] = [:]
    for (path, bytes) in zip(paths, stamps) {
      guard let record = bytes.flatMap(StampRecord.init) else { continue }
      records[path] = record
      guard !afresh.contains(.file(SourcePath(path))),
        (try? self.files.stamp(of: path)) == record.stamp
      else { continue }
      files.append((path, record))
    }
    let facts = try index.get(.facts, files.map(\.record.digest))
    var known: [AvatarSource.Kind: Finding] = [:]
    for (file, bytes) in zip(files, facts) {
      guard let facts = bytes.flatMap(InspectionRecord.facts) else { continue }
      let kind = AvatarSource.Kind.file(SourcePath(file.path))
      known[kind] = Finding(
        kind: kind,
        result: facts.map {
          Source(
            digest: file.record.digest, origin: .file(SourcePath(file.path)), kind: "file",
            inspection: $0)
        },
        stamp: file.record.stamp, isProven: file.record.good == file.record.digest)
    }
    return (known, records)
  }

  /// The picture that a file held before, unless nothing is known of its bytes any more.
  private func earlier(
    _ path: SourcePath, _ good: Digest, _ rejection: Rejection
  ) throws -> (Source, Staleness)? {
    guard let facts = try index.get(.facts, good).flatMap(InspectionRecord.facts),
      let inspection = try? facts.get()
    else { return nil }
    // Whatever spoilt it has changed the file, if only its permissions.
    let changed = (try? files.stamp(of: path.text))?.changed ?? 0
    return (
      Source(digest: good, origin: .earlier, kind: "file", inspection: inspection),
      Staleness(checkedAt: changed / 1_000_000_000, rejection: rejection)
    )
  }

  /// Gives a file that cannot be used after all the picture that it held before.
  ///
  /// - Returns: Whether there is one.
  func takeEarlier(
    _ path: SourcePath, than digest: Digest, _ rejection: Rejection, into set: inout SourceSet
  ) throws -> Bool {
    let kind = AvatarSource.Kind.file(path)
    guard set.stale[kind] == nil,
      let good = try index.get(.stamps, key(path.text)).flatMap(StampRecord.init)?.good,
      good != digest, let (source, staleness) = try earlier(path, good, rejection)
    else { return false }
    set.add(source, for: kind)
    set.note(kind, staleness)
    return true
  }

  /// Remembers that files gave pictures: should one be spoilt, these stay.
  func prove(_ proven: [(path: SourcePath, digest: Digest)]) throws {
    for chunk in Chunks(of: proven, size: 4096) {
      let keys = chunk.map { key($0.path.text) }
      let records = try index.get(.stamps, keys).map { $0.flatMap(StampRecord.init) }
      try index.put(
        .stamps,
        zip(keys, zip(chunk, records)).map { key, file in
          // Stamps of young files are not kept, and one of zeros is that of no file.
          var record =
            file.1 ?? StampRecord(stamp: StampedPaths.absent, digest: file.0.digest)
          record.good = file.0.digest
          return (key, record.bytes)
        })
    }
  }

  /// Reads a file and looks at its structure.
  private func inspect(
    _ path: SourcePath, _ earlier: StampRecord?, _ news: inout News
  ) -> Finding {
    let moment = FileStamp.now()
    let kind = AvatarSource.Kind.file(path)
    do throws(FileError) {
      let (bytes, digest, stamp) = try files.read(path.text)
      tally.count(\.sourcesRead)
      let facts = Inspection.result(of: bytes)
      let isTrustworthy = stamp.isTrustworthy(takenAt: moment)
      if isTrustworthy {
        let record = StampRecord(stamp: stamp, digest: digest, good: earlier?.good)
        news.stamps.append((key(path.text), record.bytes))
      }
      news.facts.append((digest, InspectionRecord.bytes(of: facts)))
      let source = facts.map {
        Source(digest: digest, origin: .file(path), kind: "file", inspection: $0)
      }
      return Finding(
        kind: kind, result: source, stamp: stamp, isTrustworthy: isTrustworthy,
        isProven: earlier?.good == digest)
    } catch {
      // What was taken away does not come back.
      if error.reason == .notFound, earlier != nil { news.gone.append(key(path.text)) }
      // The stamp shows again that a file is missing. It shows no other failure: a link that leads
      // out, missing rights, a broken disk.
      return Finding(
        kind: kind, result: .failure(FileSource.rejection(of: error)), stamp: nil,
        isTrustworthy: error.reason == .notFound)
    }
  }

  /// New records for the index.
  private struct News {
    var stamps: [(key: [UInt8], value: [UInt8])] = []
    var facts: [(key: Digest, value: [UInt8])] = []
    var gone: [[UInt8]] = []
  }

  private func key(_ path: String) -> [UInt8] {
    Array(root.utf8) + [0] + Array(path.utf8)
  }
}

/// Reads sources that are files beneath the manifest's folder.
struct FileSource: Sendable {
  /// The largest file that is read as a picture: 32 MiB.
  static let byteLimit = 32 << 20

  let folder: Folder
  let allowOutside: Bool

  /// Opens, reads and hashes a file.
  func read(_ path: String) throws(FileError) -> (bytes: Data, digest: Digest, stamp: FileStamp) {
    let file = try folder.open(beneath: path, allowOutside: allowOutside)
    let bytes = try file.read(upTo: Self.byteLimit)
    return (bytes, Digest(of: bytes), file.stamp)
  }

  /// The stamp of a file, reached as `read` would reach it.
  func stamp(of path: String) throws(FileError) -> FileStamp? {
    try folder.stamp(beneath: path, allowOutside: allowOutside)
  }

  static func rejection(of error: FileError) -> Rejection {
    switch error.reason {
    case .outside:
      Rejection(.outsideRoot, "it lies outside the manifest's folder")
    case .notRegular:
      Rejection(.notRegular, "it is not a regular file")
    case .tooLarge:
      Rejection(.tooManyBytes, "it is larger than \(byteLimit >> 20) MiB")
    default:
      Rejection(.unreadable, error.explanation)
    }
  }
}

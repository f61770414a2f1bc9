import Bytes
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// The stage that finds each user's next source and checks whether it is usable.
struct Gatherer: Sendable {
  let files: FileSource
  /// The prefix of index keys: the manifest's folder, so that two manifests can share an index.
  let root: String
  let index: Index
  let queue: WorkQueue
  let tally: Tally
  let fonts: FontChain
  let remote: RemoteSources

  /// Assigns a source to every pending user whose list of sources is not exhausted.
  ///
  /// `ignoringCache` contains the sources whose cached data is outdated.
  func gather(_ content: inout SiteContent, ignoringCache: Set<SourceKey>) throws {
    while true {
      let keys = content.assign()
      if keys.isEmpty { return }
      try gather(keys, into: &content.sources, ignoringCache: ignoringCache)
    }
  }

  func gather(
    _ keys: [SourceKey], into set: inout SourceSet, ignoringCache: Set<SourceKey>
  ) throws {
    var local: [SourceKey] = []
    var addresses: [RemoteAddress] = []
    for key in keys {
      if case .remote(let address) = key.source {
        addresses.append(address)
      } else {
        local.append(key)
      }
    }
    try queue.map(local.chunks(of: 256)) {
      try look(at: $0, ignoringCache: ignoringCache)
    } receive: { keys, found in
      set.add(keys, from: try found.get())
    }
    try remote.gather(addresses, into: &set, ignoringCache: ignoringCache)
  }

  private func look(
    at keys: ArraySlice<SourceKey>, ignoringCache: Set<SourceKey>
  ) throws -> SourceSet {
    var set = SourceSet()
    var files: [(SourceKey, SourcePath)] = []
    for key in keys {
      switch key.source {
      case .file(let path): files.append((key, path))
      case .color(let color): set.add(.success(Source(color: color)), for: key)
      case .initials: set.add(try initials(key), for: key)
      case .identicon:
        set.add(.success(try Source(.identicon(Identicon(of: key.text ?? "")))), for: key)
      case .inline(let picture):
        set.add(
          Inspection.result(of: picture.bytes).map {
            Source($0, digest: picture.digest, in: .inline(picture))
          }, for: key)
      case .faulty(let rejection): set.add(.failure(rejection), for: key)
      case .remote: preconditionFailure("remote sources are gathered elsewhere")
      }
    }
    if !files.isEmpty { try look(at: files, into: &set, ignoringCache: ignoringCache) }
    return set
  }

  private func initials(_ key: SourceKey) throws -> Result<Source, Rejection> {
    guard let text = key.text, let background = key.background else {
      return .failure(Rejection(.noInitials, "neither the name nor the id contains a letter"))
    }
    switch fonts.fonts(for: text) {
    case .success(let digests):
      return .success(
        try Source(
          .initials(
            Initials(text: text, ink: background.ink, ground: background, fonts: digests))))
    case .failure(let rejection):
      return .failure(rejection)
    }
  }

  /// Reads only new and changed files; inspections of the others are in the index.
  private func look(
    at files: [(key: SourceKey, path: SourcePath)], into set: inout SourceSet,
    ignoringCache: Set<SourceKey>
  ) throws {
    let records = try index.get(.stamps, files.map { key($0.path) }).map {
      $0.flatMap(StampRecord.record)
    }
    let unchanged = zip(files, records).map { file, record -> Digest? in
      let isKnown =
        record != nil && !ignoringCache.contains(file.key)
        && (try? self.files.stamp(of: file.path.text)) == record?.stamp
      return isKnown ? record?.digest : nil
    }
    let digests = Array(Set(unchanged.compactMap(\.self)))
    var facts: [Digest: Result<Inspection, Rejection>] = [:]
    for (digest, bytes) in zip(digests, try index.get(.facts, digests)) {
      facts[digest] = bytes.flatMap { InspectionRecord.facts(of: $0) }
    }
    var updates = CacheUpdates()
    for ((key, path), (record, digest)) in zip(files, zip(records, unchanged)) {
      let file: FoundFile
      if let digest, let facts = facts[digest] {
        file = FoundFile(result: source(facts, digest, path), digest: digest, stamp: record?.stamp)
      } else {
        file = read(path, record, &updates)
      }
      set.add(file.result, for: key)
      set.note(
        path, file.stamp, isTrustworthy: file.isTrustworthy,
        isVerified: file.digest == nil || file.digest == record?.good)
      if let good = record?.good, file.mayHaveLastGood, !ignoringCache.contains(key) {
        try addLastGood(good, of: path, for: key, to: &set)
      }
    }
    try updates.write(to: index)
  }

  private struct FoundFile {
    var result: Result<Source, Rejection>
    var digest: Digest?
    var stamp: FileStamp?
    var isTrustworthy = true

    var mayHaveLastGood: Bool {
      guard case .failure(let rejection) = result else { return false }
      return (stamp != nil || !isTrustworthy) && rejection.reason != .outsideRoot
        && rejection.reason != .notRegular
    }
  }

  private func read(
    _ path: SourcePath, _ record: StampRecord?, _ updates: inout CacheUpdates
  ) -> FoundFile {
    let moment = FileStamp.now()
    do throws(FileError) {
      let (bytes, digest, stamp) = try files.read(path.text)
      tally.count(\.sourcesRead)
      let facts = Inspection.result(of: bytes)
      updates.facts.append((digest, InspectionRecord.bytes(of: facts)))
      let isTrustworthy = stamp.isTrustworthy(takenAt: moment)
      if isTrustworthy {
        let record = StampRecord(stamp: stamp, digest: digest, good: record?.good)
        updates.stamps.append((key(path), record.bytes))
      }
      return FoundFile(
        result: source(facts, digest, path), digest: digest, stamp: stamp,
        isTrustworthy: isTrustworthy)
    } catch {
      // Drop the record, so that a deleted picture does not reappear as the last good one.
      if error.reason == .notFound, record != nil { updates.gone.append(key(path)) }
      // A stamp can show that a file is still missing, but not whether other failures persist, such
      // as a symlink out of the folder, missing permissions or a disk error.
      return FoundFile(
        result: .failure(FileSource.rejection(of: error)), isTrustworthy: error.reason == .notFound)
    }
  }

  private func source(
    _ facts: Result<Inspection, Rejection>, _ digest: Digest, _ path: SourcePath
  ) -> Result<Source, Rejection> {
    facts.map { Source($0, digest: digest, in: .file(path)) }
  }

  /// Adds the last good picture to replace rejected bytes; returns false if it does not exist.
  func findLastGood(
    for key: SourceKey, insteadOf digest: Digest, _ rejection: Rejection, in set: inout SourceSet
  ) throws -> Bool {
    guard case .file(let path) = key.source, set.lastGood[key] == nil,
      let good = try index.get(.stamps, self.key(path)).flatMap(StampRecord.record)?.good,
      good != digest
    else { return false }
    try addLastGood(good, of: path, for: key, to: &set)
    guard set.lastGood[key] != nil else { return false }
    set.add(.failure(rejection), for: key)
    return true
  }

  private func addLastGood(
    _ good: Digest, of path: SourcePath, for key: SourceKey, to set: inout SourceSet
  ) throws {
    let facts = try index.get(.facts, good).flatMap {
      InspectionRecord.facts(of: $0, ofAnyRevision: true)
    }
    guard case .success(let inspection) = facts else { return }
    // Use the change time, because it also changes if new permissions make the file unreadable.
    let changed = (try? files.stamp(of: path.text))?.changed ?? 0
    set.add(
      lastGood: Source(inspection, digest: good, in: .gone), for: key,
      checkedAt: changed / 1_000_000_000)
  }

  func recordLastGood(_ verified: [(path: SourcePath, digest: Digest)]) throws {
    for chunk in verified.chunks(of: 4096) {
      let keys = chunk.map { key($0.path) }
      let records = try index.get(.stamps, keys).map { $0.flatMap(StampRecord.record) }
      try index.put(
        .stamps,
        zip(keys, zip(chunk, records)).map { key, file in
          // Recently changed files lack a record: add one whose zero stamp forces a reread.
          var record =
            file.1 ?? StampRecord(stamp: StampedPaths.absent, digest: file.0.digest)
          record.good = file.0.digest
          return (key, record.bytes)
        })
    }
  }

  private struct CacheUpdates {
    var stamps: [(key: [UInt8], value: [UInt8])] = []
    var facts: [(key: Digest, value: [UInt8])] = []
    var gone: [[UInt8]] = []

    func write(to index: Index) throws {
      if !stamps.isEmpty { try index.put(.stamps, stamps) }
      if !gone.isEmpty { try index.remove(.stamps, gone) }
      if !facts.isEmpty { try index.put(.facts, facts) }
    }
  }

  private func key(_ path: SourcePath) -> [UInt8] {
    Array(root.utf8) + [0] + Array(path.text.utf8)
  }
}

struct FileSource: Sendable {
  static let byteLimit = 32 << 20

  let folder: Folder
  let allowOutside: Bool
  /// The lists' photo folder, if it is outside the manifest's folder.
  var photos: (path: String, folder: Folder)?

  init(folder: Folder, allowOutside: Bool, photoFolder: String? = nil) {
    (self.folder, self.allowOutside) = (folder, allowOutside)
    guard let photoFolder, photoFolder.hasPrefix("../") else { return }
    photos = (try? Folder(opening: folder.path + "/" + photoFolder)).map { (photoFolder, $0) }
  }

  func read(_ path: String) throws(FileError) -> (bytes: Data, digest: Digest, stamp: FileStamp) {
    let file =
      if let photos, let name = photo(path) {
        try photos.folder.open(beneath: name)
      } else {
        try folder.open(beneath: path, allowOutside: allowOutside)
      }
    let bytes = try file.read(upTo: Self.byteLimit)
    return (bytes, Digest(of: bytes), file.stamp)
  }

  func stamp(of path: String) throws(FileError) -> FileStamp? {
    if let photos, let name = photo(path) { return try photos.folder.stamp(beneath: name) }
    return try folder.stamp(beneath: path, allowOutside: allowOutside)
  }

  private func photo(_ path: String) -> String? {
    guard let photos, path.hasPrefix(photos.path) else { return nil }
    let name = path.dropFirst(photos.path.count)
    return name.contains("/") ? nil : String(name)
  }

  static func rejection(of error: FileError) -> Rejection {
    switch error.reason {
    case .outside: Rejection(.outsideRoot, "it is outside the manifest's folder")
    case .notRegular: Rejection(.notRegular, "it is not a regular file")
    case .tooLarge: Rejection(.tooManyBytes, "it is larger than \(byteLimit >> 20) MiB")
    default: Rejection(.unreadable, error.explanation)
    }
  }
}

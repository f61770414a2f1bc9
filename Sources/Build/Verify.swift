import Bytes
package import Diagnostics
import Files
import Foundation
import Plan
import Store

/// Looks whether everything that was published, and what the cache keeps of it, is as it must be.
///
/// It believes no stamp, takes no lock, and writes nothing unless it repairs.
package struct Verify: Sendable {
  let options: BuildOptions
  let cancellation: Cancellation
  private let sample: Int
  private let repairs: Bool

  /// `sample` is how many people's pictures are rendered again to be compared.
  package init(
    _ options: BuildOptions, sample: Int = 0, repairs: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) {
    self.options = options
    self.sample = sample
    self.repairs = repairs
    self.cancellation = cancellation
  }

  package func run() throws(BuildFailure) -> Verification {
    do {
      let found = try verified()
      guard repairs, found.flaws.hasErrors else { return found }
      try repair(found)
      var after = try verified()
      let left = Set(after.flaws.sorted)
      after.repaired = found.flaws.sorted.filter { !left.contains($0) }
      return after
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func verified() throws -> Verification {
    var found = Verification()
    let output = try? Folder(opening: options.output)
    let before = try output?.stamp(of: Ledger.fileName, followingLinks: false)
    guard let output, before != nil else {
      found.add(.ledgerWrong, Ledger.fileName, options, "there is no list of the site's files")
      found.isLedgerWrong = true
      return found
    }
    let ledger = try readLedger(output, &found)
    let good = try verifyFiles(ledger, in: output, &found)
    try verifyBlobs(good, &found)
    if sample > 0 { try renderCold(sample, &found) }
    if found.flaws.hasErrors { try checkQuiet(output, since: before) }
    return found
  }

  /// A publication that is under way looks like damage.
  private func checkQuiet(_ output: Folder, since before: FileStamp?) throws {
    let lock = try? output.open(beneath: FolderRules.lockName).readBytes(upTo: 64)
    let holder = String(decoding: (lock ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    // A build that was killed leaves its number, which another program may have by now.
    func program(_ process: some StringProtocol) -> String? {
      try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    }
    let other = holder.split(separator: " ").last.flatMap { program($0) }
    let now = try output.stamp(of: Ledger.fileName, followingLinks: false)
    // In containers each run may have the number of the one that was killed.
    let isOther = other != nil && other == program("self") && holder != "pid \(getpid())"
    guard now != before || isOther else { return }
    throw BuildFailure.locked(
      Diagnostic(
        .error, .locked, "a build was at work in \(output.path) while it was verified",
        help: "verify again when it has ended"))
  }

  private func readLedger(_ output: Folder, _ found: inout Verification) throws -> Ledger {
    let ledger = try Ledger(in: output)
    // A line without its end is not a line.
    let size = Int64(ledger.bytes.count)
    if try !ledger.isIntact || output.open(beneath: Ledger.fileName).size != size {
      found.add(.ledgerWrong, Ledger.fileName, options, "it has lines that no build has written")
      found.isLedgerWrong = true
    }
    return ledger
  }

  // MARK: - Files

  /// What one part of the files came to.
  private struct Part: Sendable {
    var found = Verification()
    var pages: [(path: String, links: FileLinks)] = []
    /// Stamps of files whose bytes are right.
    var good: [FileStamp: Digest] = [:]
  }

  /// - Returns: The stamps of the files that are right, each with the digest of its bytes.
  private func verifyFiles(
    _ ledger: Ledger, in output: Folder, _ found: inout Verification
  ) throws -> [FileStamp: Digest] {
    let paths = Set(ledger.entries.map(\.path))
    var good: [FileStamp: Digest] = [:]
    var anchors: [String: Set<String>] = [:]
    var places: [(page: String, link: FileLinks.Link)] = []
    try queue.map(Chunks(of: ledger.entries, size: 64)) { files in
      var part = Part()
      for file in files { verify(file, in: output, &part) }
      return part
    } receive: { files, result in
      let part = try result.get()
      found.counts.files += files.count
      found.flaws.add(contentsOf: part.found.flaws)
      good.merge(part.good) { first, _ in first }
      for (page, links) in part.pages {
        anchors[page] = links.anchors
        found.counts.links += links.links.count
        for link in links.links {
          // No file has a name that is too long.
          if !paths.contains(link.path), (try? output.kind(of: link.path)) == nil {
            found.add(.deadLink, page, options, "it leads to \(link.path), which is not there")
          } else if link.fragment != nil {
            places.append((page, link))
          }
        }
      }
    }
    for (page, link) in places {
      guard let fragment = link.fragment, anchors[link.path]?.contains(fragment) == false
      else { continue }
      let words = "it leads to \(link.path)#\(fragment), and there is no such place"
      found.add(.deadLink, page, options, words)
    }
    let own: Set = [Ledger.fileName, FolderRules.lockName]
    try output.walk { (entry) throws(FileError) in
      guard !options.adopt, entry.kind != .folder, !own.contains(entry.path),
        !paths.contains(entry.path)
      else { return }
      found.add(.fileForeign, entry.path, options, "sitegen did not write it")
    }
    return good
  }

  private func verify(_ file: Site.File, in output: Folder, _ part: inout Part) {
    let path = file.path
    // The name of a picture says its digest, too.
    let digest = Digest(assetPath: path) ?? file.digest
    if digest != file.digest {
      part.found.add(.ledgerWrong, path, options, "the list of files contradicts its name")
    }
    do throws(FileError) {
      let open = try output.open(beneath: path, followingLinks: false)
      guard open.size == file.size else {
        let words = "it has \(open.size) bytes instead of \(file.size)"
        return part.found.add(.fileChanged, path, options, words)
      }
      let isRight: Bool
      if let read = options.pages.links(path) {
        let bytes = try open.readBytes(upTo: Int(file.size))
        isRight = Digest(of: bytes) == digest
        // Where the others lead, no build has written.
        if isRight { part.pages.append((path, read(bytes))) }
      } else {
        isRight = try open.digest() == digest
      }
      guard isRight else {
        return part.found.add(.fileChanged, path, options, "its bytes are not those of the build")
      }
      part.good[open.stamp] = digest
    } catch  where error.reason == .notFound {
      part.found.add(.fileMissing, path, options, "it is missing")
    } catch {
      part.found.add(.fileChanged, path, options, error.explanation)
    }
  }

  private var queue: WorkQueue {
    WorkQueue(name: "sitegen verify", width: options.jobs, cancellation: cancellation)
  }

  // MARK: - The cache

  /// Reads every blob but those that are files of the output under another name.
  private func verifyBlobs(_ good: [FileStamp: Digest], _ found: inout Verification) throws {
    guard let cache = try? Folder(opening: options.cache) else { return }
    for name in ["store", "originals"] where try cache.kind(of: name) == .folder {
      let store = try cache.folder(name)
      var blobs: [Digest] = []
      try store.walk { (entry) throws(FileError) in
        guard entry.kind == .file, let digest = Digest(hex: entry.name),
          BlobStore.name(of: digest) == entry.path
        else { return }
        blobs.append(digest)
      }
      found.counts.blobs += blobs.count
      try queue.map(Chunks(of: blobs, size: 64)) { blobs in
        try blobs.filter { try Self.isDamaged($0, in: store, good) }
      } receive: { _, result in
        for digest in try result.get() {
          let path = "\(options.cache)/\(name)/\(BlobStore.name(of: digest))"
          found.damagedBlobs.append((name, digest))
          found.flaws.add(
            Diagnostic(
              .error, .blobDamaged, "its bytes are not those of its name",
              at: FileLocation(file: path)))
        }
      }
    }
  }

  private static func isDamaged(
    _ digest: Digest, in store: Folder, _ good: [FileStamp: Digest]
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      let file = try store.open(beneath: BlobStore.name(of: digest), followingLinks: false)
      if good[file.stamp] == digest { return false }
      return try file.digest() != digest
    } catch  where error.reason == .notFound {
      // Another run has removed it.
      return false
    }
  }

  // MARK: - Repairing

  /// Forgets what is wrong, and lets a build make it that believes no stamp.
  private func repair(_ found: Verification) throws {
    var options = options
    // Without its list a site is a folder of foreign files.
    if found.isLedgerWrong, let output = try? Folder(opening: options.output),
      try FolderRules.isOutput(output)
    {
      options.adopt = true
    }
    let context = try BuildContext(options, cancellation: cancellation) { _ in }
    do {
      defer { context.close() }
      _ = try context.cache.remove(UpToDateCheck.fileName)
      // Reading a damaged blob removes it.
      for (store, digest) in found.damagedBlobs {
        _ = try (store == "store" ? context.store : context.originals).get(digest)
      }
      try context.index.remove(.renders, found.wrongKeys)
    }
    _ = try Build(options, cancellation: cancellation).run()
  }
}

/// What `Verify` looked at, and what is wrong.
package struct Verification: Sendable {
  package struct Counts: Encodable, Sendable {
    package var files = 0
    package var links = 0
    package var blobs = 0
    /// Files that were rendered again and compared.
    package var pictures = 0
    /// Those of which the cache knows nothing: their source, style or renderer is another one now.
    package var newPictures = 0
  }

  package internal(set) var counts = Counts()
  package internal(set) var flaws = Diagnostics()
  /// What was wrong and is no more; nil where there was nothing to repair.
  package internal(set) var repaired: [Diagnostic]?
  fileprivate var isLedgerWrong = false
  fileprivate var damagedBlobs: [(store: String, digest: Digest)] = []
  /// Of records that name another picture than they must.
  var wrongKeys: [Digest] = []

  fileprivate mutating func add(
    _ id: DiagnosticID, _ path: String, _ options: BuildOptions, _ words: String
  ) {
    let file = "\(options.output)/\(path)"
    flaws.add(Diagnostic(.error, id, words, at: FileLocation(file: file)))
  }
}

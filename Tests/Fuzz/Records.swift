import Bytes
import Fetch
import Foundation
import Plan
import Recipes

@testable import Build
@testable import Compare
@testable import Files
@testable import Store

extension FuzzTarget {
  /// A folder for files that are read by path; each fuzzing process has its own.
  private static let folder: String = {
    let path = "/dev/shm/sitegen-fuzz-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      fatalError("no folder: \(error)")
    }
    atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.folder) }
    return path
  }()

  private static func put(_ bytes: [UInt8], at name: String) -> Folder {
    do {
      try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
      return try Folder(opening: folder)
    } catch {
      fatalError("no file: \(error)")
    }
  }

  /// A site compared with itself is equal or refused.
  static let assets = FuzzTarget { bytes in
    if let file = try? PublishedAssets(in: put(bytes, at: "assets.json").path) {
      demand(Differences(file, file).isEmpty, "differs from itself")
    }
  }

  /// Every path in a ledger is inside the output.
  static let ledger = FuzzTarget(
    run: { bytes in
      let ledger = Ledger(parsing: bytes)
      for file in ledger.entries {
        let names = file.path.utf8.split(
          separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        demand(
          !names.contains { $0.isEmpty || Array($0) == Array("..".utf8) }, "names \(file.path)")
      }
      demand(Ledger(parsing: ledger.bytes).entries == ledger.entries, "reads its own otherwise")
    },
    seeds: {
      let files = ["a/b.png", "assets.json", "index.html", "é.webp"].map {
        Site.File(path: $0, size: 7, digest: Digest(of: $0))
      }
      return [Ledger(files).bytes, Ledger().bytes]
    })

  /// Writing a parsed shared-store file must keep its key and its images.
  static let shared = FuzzTarget(
    run: { bytes in
      let key = Digest(of: "k")
      if let (header, parts) = SharedStore.parse(Data(bytes), key, SharedAnswer.self) {
        demand(header.key == key.hex && parts.count <= 1, "is another's")
        if let record = header.record(lifetime: 86_400) {
          demand(record.checkedAt >= 0 && record.freshUntil >= 0, "in odd times")
          _ = RemotePolicy().plan(for: record, now: 1_790_000_000)
        }
      }
      if let (header, parts) = SharedStore.parse(Data(bytes), key, SharedImages.self) {
        demand(header.images.count == parts.count, "loses images")
      }
    },
    seeds: {
      let record = RemoteRecord(
        kept: RemoteRecord.Kept(digest: Digest(of: "a"), size: 1),
        validators: Validators(etag: "\"a\"", lastModified: nil, host: "example.org"),
        checkedAt: 1_780_000_000)
      let answer = SharedAnswer(record, as: Digest(of: "k"))
      return SharedStore.bytes(answer, [Data("a".utf8)]).map { [[UInt8]($0)] } ?? []
    })

  /// Writing a parsed record returns the same bytes; the first byte selects the kind of record.
  static let records = FuzzTarget(
    run: { bytes in
      let record = Array(bytes.dropFirst())
      let again: [UInt8]? =
        switch bytes.first.map({ $0 % 4 }) {
        case 0: StampRecord.record(of: record)?.bytes
        case 1: FetchRecord.record(of: record).map(FetchRecord.bytes)
        case 2: RenderRecord.render(of: record).map(RenderRecord.bytes)
        case 3: InspectionRecord.facts(of: record).map(InspectionRecord.bytes)
        default: nil
        }
      demand(again == nil || again == record, "is written otherwise")
    },
    seeds: {
      let digest = Digest(of: "a")
      let stamp = FileStamp(inode: 1, size: 2, modified: 3, changed: 4)
      let kept = RemoteRecord(
        kept: RemoteRecord.Kept(digest: digest, size: 5),
        validators: Validators(etag: "\"a\"", lastModified: nil, host: "example.org"),
        failure: RemoteRecord.Failure(Rejection(.truncated, "ends"), until: 9))
      let render = Asset(digest: digest, format: .png, width: 1, height: 1, bytes: 67)
      let facts = Inspection(format: .png, size: PixelSize(width: 1, height: 1))
      return [
        [0] + StampRecord(stamp: stamp, digest: digest).bytes, [1] + FetchRecord.bytes(of: kept),
        [0] + StampRecord(stamp: stamp, digest: digest, good: digest).bytes,
        [2] + RenderRecord.bytes(of: .success(render)),
        [2] + RenderRecord.bytes(of: .failure(Rejection(.truncated, "ends"))),
        [3] + InspectionRecord.bytes(of: .success(facts)),
        [3] + InspectionRecord.bytes(of: .failure(Rejection(.truncated, "ends"))),
      ]
    })
}

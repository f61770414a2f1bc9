import Bytes
import Fetch
import Foundation
import Plan
import Recipes
import Store

@testable import Build
@testable import Compare
@testable import Files

extension FuzzTarget {
  /// Where a file stands that is read by its path; each process of a fuzz has its own.
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

  /// A site that is compared with itself is equal, or refused.
  static let assets = FuzzTarget { bytes in
    let folder = put(bytes, at: "assets.json")
    if let found = try? Differences(old: folder, new: folder, cancellation: Cancellation()) {
      demand(found.isEmpty, "differs from itself")
    }
  }

  /// What a ledger names lies inside, and whoever asks for it by name finds it.
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
      let folder = put(bytes, at: Ledger.fileName)
      for name in ["index.html", "a", "", "\u{10FFFF}"] {
        _ = ServedOutput.names(name, in: folder)
      }
      guard ledger.isIntact, ledger.bytes == bytes else { return }
      for file in ledger.entries {
        demand(ServedOutput.names(file.path, in: folder), "does not find \(file.path)")
      }
    },
    seeds: {
      let files = ["a/b.png", "assets.json", "index.html", "é.webp"].map {
        Site.File(path: $0, size: 7, digest: Digest(of: $0))
      }
      return [Ledger(files).bytes, Ledger().bytes]
    })

  /// An object of a shared store has the file whose digest it states, and is read again as it is.
  static let shared = FuzzTarget(
    run: { bytes in
      guard let object = ActionResult(Data(bytes)) else { return }
      demand(ActionResult(object.bytes) == object, "reads its own otherwise")
    },
    seeds: {
      ["", "answer"].map {
        [UInt8](
          ActionResult([ActionResult.File(path: $0, contents: Data($0.utf8), isInside: !$0.isEmpty)]
          )
          .bytes)
      }
    })

  /// A unit that is read has keys, and is read again as it is.
  static let units = FuzzTarget(
    run: { bytes in
      guard let unit = try? JobUnit(Data(bytes)), let again = try? unit.encoded() else { return }
      demand((try? JobUnit(again).encoded()) == again, "reads its own otherwise")
      demand((try? unit.keys())?.count == unit.jobs.count, "has no keys")
    },
    seeds: {
      let size = PixelSize(width: 8, height: 8)
      let recipe = Recipe(
        frame: Frame(base: size, box: size, fit: .fill), outline: .square, effects: [],
        encoding: Encoding(format: .png))
      var unit = JobUnit(renderer: "r")
      unit.add(
        [recipe], of: .encoded(Inspection(format: .png, size: size), reduction: 1),
        Digest(of: "a"), file: "a.png")
      return (try? unit.encoded()).map { [[UInt8]($0)] } ?? []
    })

  /// A store that has one object, under whatever name.
  private struct OneObject: ObjectStore {
    let address = ""
    let list: Data
    let part: Data

    func get(_ object: StoredObject) -> Data? { object.shelf == .ac ? list : part }
    func has(_ object: StoredObject) -> Bool { true }
    func put(_ bytes: Data, as object: StoredObject) {}
  }

  /// A pack has all bytes of its object but those that say how long each piece is; a piece is read
  /// as what it was written as.
  static let packs = FuzzTarget(
    run: { bytes in
      let part = Data(bytes)
      let list = ActionResult([ActionResult.File(path: "0", contents: part, isInside: false)])
      let store = OneObject(list: list.bytes, part: part)
      for count in 0..<4 {
        guard let pieces = try? Pack.get(Digest(of: "k"), count: count, in: store) else { continue }
        let all = pieces.reduce(4 + 8 * count) { $0 + $1.count }
        demand(all == part.count, "loses bytes")
        for piece in pieces {
          if let result = UnitResult(piece) {
            demand(result.piece == piece, "is written otherwise")
          }
        }
      }
      guard let fetched = try? FetchedForPlan.Records(bytes) else { return }
      for (_, record) in fetched.records {
        guard let record = FetchRecord.record(of: record) else { continue }
        demand(FetchRecord.record(of: FetchRecord.bytes(of: record)) == record, "another record")
      }
      for (_, facts) in fetched.facts { _ = InspectionRecord.facts(of: facts) }
    },
    seeds: {
      let failed = UnitResult.failed(Rejection(.crashed, "dies")).piece
      let one = Data([1, 0, 0, 0, UInt8(failed.count), 0, 0, 0, 0, 0, 0, 0]) + failed
      return [[UInt8](one), [0, 0, 0, 0], [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 7]]
    })

  /// A record that is read is written as it was, whatever kind the first byte chooses.
  static let records = FuzzTarget(
    run: { bytes in
      let record = Array(bytes.dropFirst())
      let again: [UInt8]? =
        switch bytes.first.map({ $0 % 4 }) {
        case 0: StampRecord(record)?.bytes
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
      let render = Render(Asset(digest: digest, width: 1, height: 1, bytes: 67))
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

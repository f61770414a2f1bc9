import Build
import Diagnostics
import Files
import Plan
import Store

/// The pictures that a page shows, each checked before the page names it.
struct ShownPictures {
  private let old: Folder
  private let new: Folder
  /// By path; the folder is nil where the file is missing, or is not what its name says.
  private var found: [String: (image: ComparedImage, folder: Folder?)] = [:]

  init(old: Folder, new: Folder) {
    self.old = old
    self.new = new
  }

  /// Whether the picture can be shown; it is then among `pages`.
  mutating func add(_ image: ComparedImage, isOld: Bool) -> Bool {
    let path = image.path
    if found[path]?.folder != nil { return true }
    let folder = isOld ? old : new
    let isSound = (try? Self.read(image, in: folder) { _ in }) == true
    found[path] = (image, isSound ? folder : nil)
    return isSound
  }

  /// Every picture that can be shown, by path.
  var pages: [Site.Page] {
    found.sorted { $0.key < $1.key }.compactMap { path, picture in
      guard let folder = picture.folder else { return nil }
      return Site.Page(path: path) { [image = picture.image] emit in
        guard try Self.read(image, in: folder, emit) else {
          throw BuildFailure.machine(
            Diagnostic(
              .error, .machineFailed, "\(folder.path)/\(path) changes while it is read",
              help: "compare again when nothing writes to it"))
        }
      }
    }
  }

  /// Reads a picture piece by piece, never through a link.
  ///
  /// - Returns: Whether it has the size and the digest that its site promises.
  private static func read(
    _ image: ComparedImage, in folder: Folder, _ emit: ([UInt8]) throws -> Void
  ) throws -> Bool {
    let asset = image.asset
    let file = try folder.open(beneath: image.path, followingLinks: false)
    guard file.size == asset.bytes else { return false }
    var stream = DigestStream()
    var offset: Int64 = 0
    while offset <= asset.bytes {
      let chunk = try file.readChunk(at: offset)
      if chunk.isEmpty { break }
      stream.update(chunk)
      try emit(chunk)
      offset += Int64(chunk.count)
    }
    return stream.finish() == asset.digest
  }
}

import Diagnostics
import Files
import Store

/// The pictures that a page shows, each looked at before it is promised.
struct PictureShelf {
  private let old: Folder
  private let new: Folder
  /// By path; nil for what is not there, or is not what its name says.
  private var known: [String: Folder?] = [:]
  private var images: [String: ComparedImage] = [:]

  init(old: Folder, new: Folder) {
    self.old = old
    self.new = new
  }

  /// Whether the picture can be shown; it is then among `pages`.
  mutating func take(_ image: ComparedImage, isOld: Bool) -> Bool {
    let path = image.path
    if let known = known[path], known != nil { return true }
    let folder = isOld ? old : new
    let isSound = (try? Self.read(image, in: folder) { _ in }) == true
    known[path] = .some(isSound ? folder : nil)
    images[path] = image
    return isSound
  }

  /// Every picture that was taken, by path.
  var pages: [Site.Page] {
    known.keys.sorted().compactMap { path in
      guard let folder = known[path] ?? nil, let image = images[path] else { return nil }
      return Site.Page(path: path) { emit in
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
    let file = try folder.open(beneath: image.path, followingLinks: false)
    guard file.size == image.bytes else { return false }
    var stream = DigestStream()
    var offset: Int64 = 0
    while offset <= image.bytes {
      let chunk = try file.readChunk(at: offset)
      if chunk.isEmpty { break }
      stream.update(chunk)
      try emit(chunk)
      offset += Int64(chunk.count)
    }
    return stream.finish() == image.digest
  }
}

import Bytes
import Foundation
import Plan
import Recipes
import Store
import Workers

/// The images of one render job, stored in one file because each file costs a round trip.
struct SharedImages: StoreHeader {
  struct Image: Codable {
    var key: String
    var format: String
    var width: Int
    var height: Int
    var bytes: Int
    var sha256: String
    var metadata: Data
  }

  static let folder = "images"
  var key: String
  var images: [Image]

  var parts: [(bytes: Int, sha256: String)] { images.map { ($0.bytes, $0.sha256) } }
}

extension SharedStore {
  /// Returns another machine's images for a job, or nil if images are missing or damaged.
  ///
  /// If that machine had some images in its cache, the file contains only the others.
  func images(of job: Job, _ whole: Job) -> [RenderedImage]? {
    images(of: job, named: whole.keys)
      ?? (job.keys.count < whole.keys.count ? images(of: job, named: job.keys) : nil)
  }

  private func images(of job: Job, named keys: [Digest]) -> [RenderedImage]? {
    let name = Self.name(of: keys)
    guard let (header, parts) = get(name, as: SharedImages.self) else { return nil }
    let files = Dictionary(zip(header.images.map(\.key), zip(header.images, parts))) { $1 }
    let images = zip(job.keys, job.recipes).compactMap { key, recipe in
      files[key.hex].flatMap { recipe.image($1, metadata: $0.metadata) }
    }
    guard images.count == job.keys.count else {
      distrust(name, SharedImages.self)
      return nil
    }
    return images
  }

  func put(_ images: [RenderedImage], of job: Job) -> Bool {
    guard mode.writes else { return false }
    let name = Self.name(of: job.keys)
    let header = SharedImages(
      key: name.hex,
      images: zip(images, zip(job.keys, job.recipes)).map { image, wanted in
        let (key, recipe) = wanted
        return SharedImages.Image(
          key: key.hex, format: recipe.encoding.format.rawValue, width: recipe.size.width,
          height: recipe.size.height, bytes: image.bytes.count,
          sha256: Digest(of: image.bytes).hex, metadata: Data(image.metadata.bytes))
      })
    return put(header, images.map(\.bytes), as: name)
  }

  /// Sorts the keys before hashing; their order in a job depends on the users planned earlier.
  private static func name(of keys: [Digest]) -> Digest {
    Digest(of: Array("sitegen images 1\n".utf8) + keys.sorted().flatMap(\.bytes))
  }
}

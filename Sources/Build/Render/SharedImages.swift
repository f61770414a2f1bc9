import Bytes
import Foundation
import Recipes
import Store
import Workers

/// The images of one render job, as a file of the shared store.
///
/// One file per job, since its images are needed together and each file costs time on a network.
struct SharedImages: StoreHeader {
  struct Image: Codable {
    var format: String
    var width: Int
    var height: Int
    var bytes: Int
    var sha256: String
    /// Placeholder, focus and traits, as in the cache's index.
    var metadata: Data
  }

  static let folder = "images"
  var key: String
  var images: [Image]

  var parts: [StorePart] { images.map { StorePart(bytes: $0.bytes, sha256: $0.sha256) } }
}

extension SharedStore {
  /// What another machine has made of a job; nil if there is nothing, or if it is damaged.
  func images(of job: RenderJob) -> [RenderOutcome]? {
    let key = Self.key(of: job)
    guard let (header, parts) = get(key, as: SharedImages.self) else { return nil }
    let images = zip(job.recipes, zip(header.images, parts)).compactMap { recipe, file in
      recipe.image(file.1, metadata: file.0.metadata)
    }
    guard images.count == job.recipes.count, images.count == parts.count else {
      distrust(key, SharedImages.self)
      return nil
    }
    return images.map { .image($0) }
  }

  /// Keeps what a worker has made; rejections are found again by each machine.
  func put(_ outcomes: [RenderOutcome], of job: RenderJob) -> Bool {
    let images = outcomes.compactMap { if case .image(let image) = $0 { image } else { nil } }
    guard mode.writes, images.count == outcomes.count else { return false }
    let key = Self.key(of: job)
    let header = SharedImages(
      key: key.hex,
      images: zip(images, job.recipes).map { image, recipe in
        SharedImages.Image(
          format: recipe.encoding.format.rawValue, width: image.size.width,
          height: image.size.height, bytes: image.bytes.count,
          sha256: Digest(of: image.bytes).hex, metadata: Data(image.metadata.bytes))
      })
    return put(header, images.map(\.bytes), as: key)
  }

  /// The keys of its images, which name source, recipes and renderer.
  private static func key(of job: RenderJob) -> Digest {
    var stream = DigestStream()
    stream.update(Array("sitegen images 1\n".utf8))
    for key in job.keys { stream.update(key.bytes) }
    return stream.finish()
  }
}

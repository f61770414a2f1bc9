import Foundation
import Magick
import Recipes

extension Collage {
  /// Decodes the pictures one by one, and lays each on its place.
  ///
  /// - Parameters:
  ///   - files: The file of each cell, one behind the other.
  ///   - resources: Has the fonts.
  /// - Throws: When a file is no picture, or something does not lie inside.
  /// - Returns: The pixels, all opaque.
  func raster(of files: Data, resources: RenderResources) throws(Rejection) -> Raster {
    guard (1...SpriteSheet.limit).contains(size.width),
      (1...SpriteSheet.limit).contains(size.height), ground.isOpaque
    else { throw Rejection(.decodeFailed, "a collage has a ground and a size") }
    var raster = Raster(size: size, filledWith: ground)
    var rest = files
    for (number, cell) in cells.enumerated() {
      guard cell.frame.fits(size), cell.bytes >= 0, cell.bytes <= rest.count else {
        throw Rejection(.decodeFailed, "picture \(number) does not fit its collage")
      }
      let picture = try picture(Data(rest.prefix(cell.bytes)), size: cell.frame.size)
      rest = rest.dropFirst(cell.bytes)
      raster.lay(picture, x: cell.frame.x, y: cell.frame.y)
    }
    if let words {
      guard words.frame.fits(size) else {
        throw Rejection(.decodeFailed, "the words do not fit their collage")
      }
      // A title whose letters no font has is left out: the picture is worth having without it.
      if let title = try words.raster(on: ground, resources: resources) {
        raster.lay(title, x: words.frame.x, y: words.frame.y)
      }
    }
    return raster
  }

  private func picture(_ file: Data, size: PixelSize) throws(Rejection) -> Raster {
    let inspection = try Inspection(inspecting: file)
    let frame = Frame(base: size, box: size, fit: .stretch)
    var picture = try Picture(
      decoding: file, as: inspection, reduction: inspection.reduction(for: frame))
    return try picture.fit(frame)
  }
}

extension Recipe {
  /// A collage as a file, the smallest without loss.
  func encoded(collage raster: Raster) throws(Rejection) -> RenderedImage {
    guard raster.size == frame.box, margins == .none, outline == .square, filters.isEmpty,
      effects.isEmpty
    else { throw Rejection(.renderFailed, "a collage is a picture as it is") }
    do {
      return try encoding.encode(raster)
    } catch {
      throw Rejection(.encodeFailed, error.sentence)
    }
  }
}

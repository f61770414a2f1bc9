package import Foundation
import Magick

/// One source, from which any number of images can be made.
///
/// What recipes share is kept: the base picture of a style, the finished pixels that two formats
/// store, the masks. Keeping is only a saving: an image depends on the source and its recipe
/// alone, whatever was rendered before it.
package struct Picture: ~Copyable {
  private let source: Source
  private var bases = BoundedCache<Frame, Raster>(limit: Self.limit)
  private var finished = BoundedCache<Finish, Raster>(limit: Self.limit)
  private var masks = MaskCache()

  /// Bytes of each kind that are kept: the bases of 200 usual styles, or of two of 2048 × 2048.
  private static let limit = 32 << 20

  private enum Source {
    case decoded(Negative)
    case blank(Color)
  }

  /// A recipe without its encoding.
  private struct Finish: Hashable {
    let frame: Frame
    let outline: Outline
    let effects: [Effect]
  }

  /// Decodes a file that was inspected before, and checks that it is what the inspection said.
  package init(
    decoding bytes: Data, as inspection: Inspection, reduction: Int
  ) throws(Rejection) {
    source = .decoded(try inspection.decode(bytes, reduction: reduction))
  }

  /// A picture of one colour, as large as every recipe wants it.
  package init(color: Color) {
    source = .blank(color)
  }

  /// Pixels that our own code drew: RGBA, 8 bits each, row by row.
  package init(raster bytes: Data, size: PixelSize) throws(Rejection) {
    guard size.width > 0, size.height > 0, bytes.count == size.width * size.height * 4 else {
      throw Rejection(
        .decodeFailed, "\(bytes.count) bytes do not fill \(size.width) × \(size.height) pixels")
    }
    do {
      let pixels = [UInt8](bytes)
      let canvas = try Canvas(rgba: pixels.span, width: size.width, height: size.height)
      source = .decoded(Negative(canvas, Inspection(format: .png, size: size)))
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// Makes one image: fit, clip, effects in their order, strip and encode.
  package mutating func rendered(_ recipe: Recipe) throws(Rejection) -> RenderedImage {
    let box = recipe.frame.box
    // Asked before the picture is made, not after.
    guard box.width * box.height <= Canvas.room else {
      throw Rejection(
        .encodeFailed,
        "ImageMagick has no memory for \(box.width.grouped) × \(box.height.grouped) pixels; "
          + "the limit here is \(Canvas.room.grouped)")
    }
    let raster: Raster
    do {
      raster = try finish(recipe)
    } catch {
      throw Rejection(.renderFailed, error.sentence)
    }
    guard recipe.encoding.format.hasAlpha || raster.isOpaque else {
      throw Rejection(
        .renderFailed, "\(recipe.encoding.format.rawValue) has no transparency and needs a matte")
    }
    do {
      return try recipe.encoding.encode(raster)
    } catch {
      throw Rejection(.encodeFailed, error.sentence)
    }
  }

  private mutating func finish(_ recipe: Recipe) throws(MagickError) -> Raster {
    let key = Finish(frame: recipe.frame, outline: recipe.outline, effects: recipe.effects)
    if let raster = finished[key] { return raster }
    let cost = recipe.frame.box.rasterBytes
    finished.makeRoom(for: cost)
    var raster = try fit(recipe.frame)
    raster.clip(to: masks.mask(recipe.outline, size: raster.size))
    for effect in recipe.effects {
      effect.apply(to: &raster, outline: recipe.outline, masks: &masks)
    }
    raster.forgetInvisibleColors()
    finished.keep(raster, for: key, cost: cost)
    return raster
  }

  /// The picture in its box, not yet clipped.
  private mutating func fit(_ frame: Frame) throws(MagickError) -> Raster {
    switch source {
    case .blank(let color):
      return Raster(size: frame.box, filledWith: color)
    case .decoded(let negative):
      let inspection = negative.inspection
      // Else the pixels would depend on what else is rendered from the same decode.
      precondition(
        negative.reduction == inspection.reduction(for: frame),
        "a recipe must come with its own decode")
      let placement = frame.placement(of: inspection.uprightSize, in: frame.box)
      let raster =
        if frame.usesBase(for: inspection.uprightSize) {
          try scaledBase(of: frame, negative, to: placement)
        } else {
          try negative.developed(placement)
        }
      return raster.placed(in: frame.box, x: placement.x, y: placement.y)
    }
  }

  private mutating func scaledBase(
    of frame: Frame, _ negative: Negative, to placement: Placement
  ) throws(MagickError) -> Raster {
    var key = frame
    key.box = frame.base
    let whole = frame.placement(of: negative.inspection.uprightSize, in: frame.base)
    let base: Raster
    if let kept = bases[key] {
      base = kept
    } else {
      bases.makeRoom(for: whole.drawn.rasterBytes)
      base = try negative.developed(whole)
      bases.keep(base, for: key, cost: whole.drawn.rasterBytes)
    }
    guard frame.box != frame.base else { return base }
    return base.fitted(placement.window(in: whole), to: placement.drawn)
  }
}

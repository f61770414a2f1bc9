package import Foundation
import Magick
package import Recipes

/// A source from which any number of images can be rendered.
package struct Picture: ~Copyable {
  private let input: Input
  private let file: Data
  private let resources: RenderResources
  private var bases = BoundedCache<Frame, Raster>(limit: Self.limit)
  private var finished = BoundedCache<Recipe, Finished>(limit: Self.limit)
  private var search = FocusSearch()
  /// The last decode at a larger size, for a crop around a small face.
  private var closer: DecodedImage?
  private var traits: PictureTraits?

  /// The size of each cache in bytes: enough for 200 typical base pictures, or two of 2048 × 2048.
  private static let limit = 32 << 20

  private typealias Finished = (raster: Raster, placeholder: Placeholder?, palette: Palette?)

  private enum Input {
    case decoded(DecodedImage)
    case blank(Color)
    case generated(Generated)
    case collage(Raster)
  }

  /// Decodes or draws a source; throws if the bytes do not match it, or if a font is unusable.
  package init(
    _ source: RenderSource, _ bytes: Data = Data(),
    resources: RenderResources = RenderResources()
  ) throws(Rejection) {
    (self.resources, file) = (resources, bytes)
    input =
      switch source {
      case .encoded(let inspection, let reduction):
        .decoded(try inspection.decode(bytes, reduction: reduction))
      case .color(let color): .blank(color)
      case .generated(let generated): .generated(generated)
      case .raster(let size): .decoded(try DecodedImage(raster: bytes, size: size))
      case .collage(let collage): .collage(try collage.raster(of: bytes, resources: resources))
      }
  }

  /// Renders one image, and calls `isDrawn` between drawing and encoding it.
  package mutating func rendered(
    _ recipe: Recipe, isDrawn: () -> Void = {}
  ) throws(Rejection) -> RenderedImage {
    let box = recipe.size
    guard box.width * box.height <= Canvas.room else {
      throw Rejection(
        .encodeFailed,
        "not enough memory for \(box.width.grouped) × \(box.height.grouped) pixels; "
          + "the limit is \(Canvas.room.grouped) pixels in total")
    }
    let (raster, placeholder, palette) = try finish(recipe)
    isDrawn()
    guard recipe.encoding.format.hasAlpha || raster.isOpaque else {
      throw Rejection(
        .renderFailed, "\(recipe.encoding.format.rawValue) cannot be transparent; it needs a matte")
    }
    do {
      var image = try recipe.encoding.encode(raster, palette, by: resources.webP)
      if case .decoded(let decoded) = input, recipe.frame.box == recipe.frame.base {
        image.metadata.ignoresProfile = decoded.ignoresProfile
        image.metadata.focus = try search.focus(for: recipe.frame, of: decoded, resources)
        if traits == nil { traits = try decoded.traits() }
        image.metadata.traits = traits
        if search.lacksFace(for: recipe.frame, of: decoded, resources) {
          image.metadata.traits?.flags.insert(.noFaceFound)
        }
        image.metadata.traits?.flags.formUnion(decoded.flags)
      }
      image.metadata.placeholder = placeholder
      return image
    } catch {
      throw Rejection(.encodeFailed, error.sentence)
    }
  }

  private mutating func finish(_ recipe: Recipe) throws(Rejection) -> Finished {
    if case .collage(let raster) = input {
      guard recipe.isPlain, raster.size == recipe.frame.box else {
        throw Rejection(.renderFailed, "a collage must be encoded unchanged")
      }
      return (raster, nil, Palette(of: raster))
    }
    // Formats share the pixels, so the key ignores the encoding.
    var key = recipe
    key.encoding = Encoding(format: .png)
    if let known = finished[key] { return known }
    let layout = CanvasLayout(recipe)
    let cost = layout.canvas.rasterBytes
    finished.makeRoom(for: cost)
    let (raster, placeholder) = try recipe.finish(
      try fit(recipe.frame), on: layout, masks: resources.masks, resources: resources)
    let result = (raster, placeholder, Palette(of: raster))
    finished.keep(result, for: key, cost: cost)
    return result
  }

  mutating func fit(_ asked: Frame) throws(Rejection) -> Raster {
    switch input {
    case .blank(let color):
      return Raster(size: asked.box, filledWith: color)
    case .generated(let generated):
      return try generated.raster(size: asked.box, resources: resources)
    case .collage:
      preconditionFailure("a collage cannot be fitted")
    case .decoded(let decoded):
      // Otherwise, the pixels would depend on the other recipes that share this decode.
      precondition(
        decoded.reduction == decoded.inspection.reduction(for: asked),
        "a recipe needs its own decode")
      do {
        let frame = try search.resolved(asked, for: decoded, resources)
        return try fit(try large(decoded, for: frame), frame)
      } catch let error as MagickError {
        throw Rejection(.renderFailed, error.sentence)
      } catch {
        throw error as? Rejection ?? Rejection(.renderFailed, "\(error)")
      }
    }
  }

  /// Decodes the file again if a crop around a small face needs more pixels.
  private mutating func large(
    _ decoded: DecodedImage, for frame: Frame
  ) throws(Rejection) -> DecodedImage {
    let reduction = decoded.inspection.reduction(for: frame)
    if reduction == decoded.reduction { return decoded }
    if let closer, closer.reduction == reduction { return closer }
    closer = nil
    let result = try decoded.inspection.decode(file, reduction: reduction)
    closer = result
    return result
  }

  private mutating func fit(_ decoded: DecodedImage, _ frame: Frame) throws(MagickError) -> Raster {
    let inspection = decoded.inspection
    let placement = frame.placement(of: inspection.uprightSize, in: frame.box)
    let raster =
      if frame.usesBase(for: inspection.uprightSize) {
        try scaledBase(of: frame, decoded, to: placement)
      } else {
        try decoded.fitted(placement)
      }
    return raster.placed(in: frame.box, x: placement.x, y: placement.y)
  }

  private mutating func scaledBase(
    of frame: Frame, _ decoded: DecodedImage, to placement: Placement
  ) throws(MagickError) -> Raster {
    var key = frame
    key.box = frame.base
    let whole = frame.placement(of: decoded.inspection.uprightSize, in: frame.base)
    let base: Raster
    if let kept = bases[key] {
      base = kept
    } else {
      bases.makeRoom(for: whole.drawn.rasterBytes)
      base = try decoded.fitted(whole)
      bases.keep(base, for: key, cost: whole.drawn.rasterBytes)
    }
    guard frame.box != frame.base else { return base }
    return base.fitted(placement.window(in: whole), to: placement.drawn)
  }
}

extension Recipe {
  fileprivate var isPlain: Bool {
    margins == .none && outline == .square && filters.isEmpty && effects.isEmpty
  }
}

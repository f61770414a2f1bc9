package import Foundation
import Magick
package import Recipes

/// One source, from which any number of images can be made.
///
/// What recipes share is kept: the base picture of a style, the finished pixels that two formats
/// store, the masks. Keeping is only a saving: an image depends on the source and its recipe
/// alone, whatever was rendered before it.
package struct Picture: ~Copyable {
  private let source: Source
  private let resources: RenderResources
  private var bases = BoundedCache<Frame, Raster>(limit: Self.limit)
  private var finished = BoundedCache<Finish, Finished>(limit: Self.limit)
  private let masks = MaskCache()
  private var search = FocusSearch()

  /// Bytes of each kind that are kept: the bases of 200 usual styles, or of two of 2048 × 2048.
  private static let limit = 32 << 20

  private typealias Finished = (raster: Raster, placeholder: Placeholder?)

  private enum Source {
    case decoded(DecodedImage)
    case blank(Color)
    case generated(Generated)
    /// Nothing is left to be done to it.
    case finished(Raster)
    /// The same, to be stored as small as it gets.
    case composed(Raster)
  }

  /// A recipe without its encoding.
  private struct Finish: Hashable {
    let frame: Frame
    let filters: [Filter]
    let outline: Outline
    let margins: Margins
    let effects: [Effect]

    init(_ recipe: Recipe) {
      frame = recipe.frame
      filters = recipe.filters
      outline = recipe.outline
      margins = recipe.margins
      effects = recipe.effects
    }
  }

  /// Decodes a file that was inspected before, and checks that it is what the inspection said.
  package init(
    decoding bytes: Data, as inspection: Inspection, reduction: Int,
    resources: RenderResources = RenderResources()
  ) throws(Rejection) {
    self.resources = resources
    source = .decoded(try inspection.decode(bytes, reduction: reduction))
  }

  /// A picture of one colour, as large as every recipe wants it.
  package init(color: Color, resources: RenderResources = RenderResources()) {
    self.resources = resources
    source = .blank(color)
  }

  /// A picture that is drawn from its description, as large as every recipe wants it.
  package init(_ generated: Generated, resources: RenderResources = RenderResources()) {
    self.resources = resources
    source = .generated(generated)
  }

  /// Pixels that our own code drew: RGBA, 8 bits each, row by row.
  package init(
    raster bytes: Data, size: PixelSize, resources: RenderResources = RenderResources()
  ) throws(Rejection) {
    self.resources = resources
    guard size.width > 0, size.height > 0, bytes.count == size.width * size.height * 4 else {
      throw Rejection(
        .decodeFailed, "\(bytes.count) bytes do not fill \(size.width) × \(size.height) pixels")
    }
    do {
      let pixels = [UInt8](bytes)
      let canvas = try Canvas(rgba: pixels.span, width: size.width, height: size.height)
      source = .decoded(DecodedImage(canvas, Inspection(format: .png, size: size)))
    } catch {
      throw Rejection(.decodeFailed, error.sentence)
    }
  }

  /// Finished pictures on one canvas; recipes must ask for it as it is.
  ///
  /// - Parameters:
  ///   - sheet: Where each picture lies.
  ///   - files: The PNG of each, one behind the other.
  /// - Throws: When a file is not the picture that it should be.
  package init(sheet: SpriteSheet, of files: Data) throws(Rejection) {
    resources = RenderResources()
    source = .finished(try sheet.raster(of: files))
  }

  /// Pictures and words on one ground; recipes must ask for it as it is.
  ///
  /// - Parameters:
  ///   - collage: Where everything lies.
  ///   - files: The file of each picture, one behind the other.
  ///   - resources: Has the fonts.
  /// - Throws: When a file is no picture, or a font is unusable.
  package init(
    collage: Collage, of files: Data, resources: RenderResources = RenderResources()
  ) throws(Rejection) {
    self.resources = resources
    source = .composed(try collage.raster(of: files, resources: resources))
  }

  /// Makes one image: fit, filters, clip, effects in their order, strip and encode.
  ///
  /// - Parameters:
  ///   - recipe: What to make.
  ///   - isDrawn: Called when all is drawn and nothing is encoded.
  /// - Throws: When it cannot be made.
  /// - Returns: The image, and what was found out.
  package mutating func rendered(
    _ recipe: Recipe, isDrawn: () -> Void = {}
  ) throws(Rejection) -> RenderedImage {
    let box = recipe.size
    // Asked before the picture is made, not after.
    guard box.width * box.height <= Canvas.room else {
      throw Rejection(
        .encodeFailed,
        "ImageMagick has no memory for \(box.width.grouped) × \(box.height.grouped) pixels; "
          + "the limit here is \(Canvas.room.grouped)")
    }
    switch source {
    case .finished(let raster): return try recipe.encoded(asItIs: raster)
    case .composed(let raster): return try recipe.encoded(collage: raster)
    case .decoded, .blank, .generated: break
    }
    let (raster, placeholder) = try finish(recipe)
    isDrawn()
    guard recipe.encoding.format.hasAlpha || raster.isOpaque else {
      throw Rejection(
        .renderFailed, "\(recipe.encoding.format.rawValue) has no transparency and needs a matte")
    }
    do {
      var image = try recipe.encoding.encode(raster)
      if case .decoded(let decoded) = source, recipe.frame.box == recipe.frame.base {
        image.metadata.ignoresProfile = decoded.ignoresProfile
        image.metadata.focus = try search.focus(for: recipe.frame, of: decoded, resources)
      }
      image.metadata.placeholder = placeholder
      return image
    } catch {
      throw Rejection(.encodeFailed, error.sentence)
    }
  }

  private mutating func finish(_ recipe: Recipe) throws(Rejection) -> Finished {
    let key = Finish(recipe)
    if let known = finished[key] { return known }
    let layout = CanvasLayout(recipe)
    let cost = layout.canvas.rasterBytes
    finished.makeRoom(for: cost)
    var run = PipelineRun(
      recipe: recipe, layout: layout, masks: masks, resources: resources,
      raster: try fit(recipe.frame))
    try run.finish()
    let result = (run.raster, run.placeholder)
    finished.keep(result, for: key, cost: cost)
    return result
  }

  /// The picture in its box, not yet clipped.
  mutating func fit(_ frame: Frame) throws(Rejection) -> Raster {
    switch source {
    case .blank(let color):
      return Raster(size: frame.box, filledWith: color)
    case .generated(let generated):
      return try generated.raster(size: frame.box, resources: resources)
    case .finished, .composed:
      preconditionFailure("a finished picture is not fitted")
    case .decoded(let decoded):
      do {
        return try fit(decoded, frame)
      } catch {
        throw Rejection(.renderFailed, error.sentence)
      }
    }
  }

  private mutating func fit(_ decoded: DecodedImage, _ asked: Frame) throws(MagickError) -> Raster {
    let inspection = decoded.inspection
    let frame = try search.settled(asked, for: decoded, resources)
    // Else the pixels would depend on what else is rendered from the same decode.
    precondition(
      decoded.reduction == inspection.reduction(for: frame),
      "a recipe must come with its own decode")
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

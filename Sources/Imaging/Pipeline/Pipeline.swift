import Recipes

/// How the pixels of an image are made, in this order.
///
/// Before these steps a source is decoded once (`DecodedImage`) or drawn (`Generated`) and brought
/// into the box of the recipe (`Picture.fit`: focus, colours, scale and crop, upright). After them
/// the pixels become a file (`Encoding`).
enum PipelineStep: CaseIterable {
  /// Changes the picture in its box: gray, tint, blur.
  case applyFilters
  /// Adds the margins.
  case placeOnCanvas
  /// Cuts away what lies outside the outline.
  case clipToOutline
  /// Paints what is a part of the picture: a colour under it, a fill over it.
  case paintPicture
  /// Finds the colour of the placeholder, before a ring or a shadow covers the picture.
  case findColor
  /// Draws what is around the picture: rings, shadow, decorations, matte, guides.
  case drawAround
  /// Empties pixels that cannot be seen.
  case forgetInvisibleColors
  /// Hashes the finished picture for the placeholder.
  case describe
}

/// One image that goes through the steps.
struct PipelineRun {
  let recipe: Recipe
  let layout: CanvasLayout
  let masks: MaskCache
  let resources: RenderResources
  /// At first the picture in its box.
  var raster: Raster
  var color: Color?
  var placeholder: Placeholder?

  /// Smaller images of a style have the placeholder of its largest.
  private var isLargest: Bool { recipe.frame.box == recipe.frame.base }

  mutating func finish() throws(Rejection) {
    for step in PipelineStep.allCases { try take(step) }
  }

  private mutating func take(_ step: PipelineStep) throws(Rejection) {
    switch step {
    case .applyFilters: for filter in recipe.filters { filter.apply(to: &raster) }
    case .placeOnCanvas: raster = raster.placed(in: layout.canvas, x: layout.x, y: layout.y)
    case .clipToOutline: raster.clip(to: masks.mask(layout))
    case .paintPicture: try apply(recipe.effects.prefix { $0.isPartOfPicture })
    case .findColor: color = isLargest ? Placeholder.color(of: raster) : nil
    case .drawAround: try apply(recipe.effects.drop { $0.isPartOfPicture })
    case .forgetInvisibleColors: raster.forgetInvisibleColors()
    case .describe: placeholder = isLargest ? Placeholder(of: raster, color: color) : nil
    }
  }

  private mutating func apply(_ effects: ArraySlice<Effect>) throws(Rejection) {
    for effect in effects {
      try effect.apply(to: &raster, on: layout, masks: masks, resources: resources)
    }
  }
}

extension Generated {
  func raster(size: PixelSize, resources: RenderResources) throws(Rejection) -> Raster {
    switch self {
    case .initials(let initials): try initials.raster(size: size, resources: resources)
    case .identicon(let identicon): identicon.raster(size: size)
    case .strip(let strip): strip.raster(size: size)
    }
  }
}

extension Filter {
  func apply(to raster: inout Raster) {
    switch self {
    case .grayscale(let grayscale): grayscale.apply(to: &raster)
    case .tint(let tint): tint.apply(to: &raster)
    case .blur(let blur): blur.apply(to: &raster)
    }
  }
}

extension Effect {
  /// Whether it changes what the picture looks like, rather than what is around it.
  var isPartOfPicture: Bool {
    switch self {
    case .underlay, .overlay: true
    case .border, .shadow, .decoration, .matte, .guides: false
    }
  }

  /// Applies the step to a picture that is clipped to the layout's outline.
  func apply(
    to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache, resources: RenderResources
  ) throws(Rejection) {
    switch self {
    case .underlay(let underlay): underlay.apply(to: &raster, on: layout, masks: masks)
    case .overlay(let overlay): overlay.apply(to: &raster, on: layout, masks: masks)
    case .border(let border): border.apply(to: &raster, on: layout, masks: masks)
    case .shadow(let shadow): shadow.apply(to: &raster, on: layout, masks: masks)
    case .decoration(let decoration):
      try decoration.apply(to: &raster, on: layout, resources: resources)
    case .matte(let matte): matte.apply(to: &raster)
    case .guides(let guides): guides.apply(to: &raster, on: layout)
    }
  }
}

import Recipes

extension Recipe {
  /// Applies filters, outline and effects to a picture that is scaled to its box.
  func finish(
    _ picture: Raster, on layout: CanvasLayout, masks: MaskCache, resources: RenderResources
  ) throws(Rejection) -> (raster: Raster, placeholder: Placeholder?) {
    var raster = picture
    for filter in filters { filter.apply(to: &raster) }
    raster = raster.placed(in: layout.canvas, x: layout.x, y: layout.y)
    raster.clip(to: masks.mask(layout))
    for effect in effects.prefix(while: \.isPartOfPicture) {
      try effect.apply(to: &raster, on: layout, masks: masks, resources: resources)
    }
    // Compute the colour before a ring or a shadow covers the picture. Smaller images in a style
    // use the placeholder of the largest image.
    let isLargest = frame.box == frame.base
    let color = isLargest ? Placeholder.color(of: raster) : nil
    for effect in effects.drop(while: \.isPartOfPicture) {
      try effect.apply(to: &raster, on: layout, masks: masks, resources: resources)
    }
    raster.forgetInvisibleColors()
    return (raster, isLargest ? Placeholder(of: raster, color: color) : nil)
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
    case .grayscale: raster.removeColor()
    case .tint(let color): raster.tint(color)
    case .blur(let radius): raster.blur(radius: radius)
    }
  }
}

extension Effect {
  /// Whether the effect changes the picture itself rather than its surroundings.
  var isPartOfPicture: Bool {
    switch self {
    case .underlay, .overlay, .mask: true
    case .border, .shadow, .decoration, .matte, .guides: false
    }
  }

  func apply(
    to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache, resources: RenderResources
  ) throws(Rejection) {
    switch self {
    case .underlay(let color): raster.underlay(color, on: layout, masks: masks)
    case .overlay(let fill): raster.overlay(fill, on: layout, masks: masks)
    case .mask(let digest, let inspection):
      let shape = try resources.badge(digest, inspection, box: layout.box, fit: .stretch)
      raster.clip(to: Mask(alphaOf: shape.placed(in: layout.canvas, x: layout.x, y: layout.y)))
    case .border(let border): border.apply(to: &raster, on: layout, masks: masks)
    case .shadow(let shadow): shadow.apply(to: &raster, on: layout, masks: masks)
    case .decoration(let decoration):
      try decoration.apply(to: &raster, on: layout, resources: resources)
    case .matte(let color): raster.flatten(on: color)
    case .guides(let guides): guides.apply(to: &raster, on: layout)
    }
  }
}

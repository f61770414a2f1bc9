import Recipes

extension Effect {
  /// Whether it changes what the picture looks like, rather than what is around it.
  var isPartOfPicture: Bool {
    switch self {
    case .underlay, .overlay: true
    case .border, .shadow, .decoration, .matte, .guides: false
    }
  }

  /// Applies the step to a picture that is clipped to the stage's outline.
  func apply(
    to raster: inout Raster, on stage: Stage, masks: inout MaskCache, supplies: Supplies
  ) throws(Rejection) {
    switch self {
    case .underlay(let underlay): underlay.apply(to: &raster, on: stage, masks: &masks)
    case .overlay(let overlay): overlay.apply(to: &raster, on: stage, masks: &masks)
    case .border(let border): border.apply(to: &raster, on: stage, masks: &masks)
    case .shadow(let shadow): shadow.apply(to: &raster, on: stage, masks: &masks)
    case .decoration(let decoration):
      try decoration.apply(to: &raster, on: stage, supplies: supplies)
    case .matte(let matte): matte.apply(to: &raster)
    case .guides(let guides): guides.apply(to: &raster, on: stage)
    }
  }
}

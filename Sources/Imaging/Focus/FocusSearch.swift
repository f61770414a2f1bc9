import Magick
import Recipes

/// A search for focus points; its results depend only on the source and the frame.
struct FocusSearch {
  private var copy: Raster?
  private var saliency: Saliency?
  private struct Search: Hashable {
    let detector: String
    let isQuick: Bool
  }
  private var faces: [Search: Window?] = [:]
  private var found = BoundedCache<Frame, FoundFocus>(limit: 1000)

  /// The longest side of the copy for face detection.
  private static let side = BrightnessSums.stride - 1

  mutating func resolved(
    _ frame: Frame, for decoded: DecodedImage, _ resources: RenderResources
  ) throws(MagickError) -> Frame {
    guard let focus = try focus(for: frame, of: decoded, resources) else { return frame }
    var result = frame
    result.finder = nil
    result.focus = focus.focus
    return result
  }

  /// Returns the focus for the base frame, so that all scales of a style show the same part.
  mutating func focus(
    for frame: Frame, of decoded: DecodedImage, _ resources: RenderResources
  ) throws(MagickError) -> FoundFocus? {
    guard let finder = frame.finder else { return nil }
    var key = frame
    key.box = frame.base
    if let kept = found[key] { return kept }
    let result = try look(for: frame, finder, in: decoded, resources)
    found.keep(result, for: key, cost: 1)
    return result
  }

  /// Returns whether face detection ran for this frame without finding a face.
  func lacksFace(for frame: Frame, of decoded: DecodedImage, _ resources: RenderResources) -> Bool {
    guard case .face(let detector, _, _, let isQuick) = frame.finder,
      resources.cascade(detector) != nil,
      CropAxis(of: decoded.inspection.uprightSize, for: frame) != nil
    else { return false }
    return faces[Search(detector: detector, isQuick: isQuick == true)] == .some(nil)
  }

  private mutating func look(
    for frame: Frame, _ finder: FocusFinder, in decoded: DecodedImage, _ resources: RenderResources
  ) throws(MagickError) -> FoundFocus {
    let given = FoundFocus(focus: frame.focus, method: .given)
    let size = decoded.inspection.uprightSize
    guard let axis = CropAxis(of: size, for: frame) else { return given }
    switch finder {
    case .smart:
      return try smart(frame, axis, decoded) ?? given
    case .face(let detector, let headRoom, let isSmartOtherwise, let isQuick):
      let search = Search(detector: detector, isQuick: isQuick == true)
      if let face = try face(decoded, search, resources) {
        let middle = Focus(
          x: ((face.x + face.width / 2) * 1000).rounded() / 1000,
          y: ((face.y + face.height / 2) * 1000).rounded() / 1000)
        let start = Self.start(showing: face, along: axis, headRoom: headRoom)
        return FoundFocus(focus: axis.focus(start: start, beside: middle), method: .face)
      }
      guard isSmartOtherwise else { return given }
      return try smart(frame, axis, decoded) ?? given
    }
  }

  private mutating func smart(
    _ frame: Frame, _ axis: CropAxis, _ decoded: DecodedImage
  ) throws(MagickError) -> FoundFocus? {
    let size = decoded.inspection.uprightSize
    // Screenshots and comics begin at the top, and a panorama's subject is in the middle.
    if size.height > 3 * size.width, axis.isVertical {
      return FoundFocus(focus: axis.focus(start: 0, beside: frame.focus), method: .smart)
    }
    if size.width > 3 * size.height, !axis.isVertical {
      let middle = axis.focus(start: axis.room / 2, beside: frame.focus)
      return FoundFocus(focus: middle, method: .smart)
    }
    let map: Saliency
    if let saliency {
      map = saliency
    } else {
      let copy = try copy(of: decoded)
      map = Saliency(copy.reduced(to: Saliency.side))
      saliency = map
    }
    guard let start = map.start(along: axis, given: axis.start(keeping: frame.focus)) else {
      return nil
    }
    return FoundFocus(focus: axis.focus(start: start, beside: frame.focus), method: .smart)
  }

  private mutating func face(
    _ decoded: DecodedImage, _ search: Search, _ resources: RenderResources
  ) throws(MagickError) -> Window? {
    if let known = faces[search] { return known }
    var face: Window?
    if let cascade = resources.cascade(search.detector) {
      face = cascade.face(in: GrayImage(try copy(of: decoded)), isQuick: search.isQuick)
    }
    faces[search] = .some(face)
    return face
  }

  private mutating func copy(of decoded: DecodedImage) throws(MagickError) -> Raster {
    if let copy { return copy }
    let size = decoded.inspection.uprightSize
    let box = size.reduced(to: Self.side)
    let made = try decoded.fitted(
      Placement(of: size, in: box, fit: .stretch, focus: .center))
    copy = made
    return made
  }

  /// Returns the start of a crop that shows the face; the chin takes priority over the head room.
  private static func start(
    showing face: Window, along axis: CropAxis, headRoom: Double
  ) -> Double {
    guard axis.isVertical else {
      return axis.clamped((face.x + face.width / 2) * axis.whole - axis.seen / 2)
    }
    let top = face.y * axis.whole
    let length = face.height * axis.whole
    let centred = top + length / 2 - axis.seen / 2
    let roomy = min(centred, top - headRoom * length)
    return axis.clamped(max(roomy, min(centred, top + length - axis.seen)))
  }
}

extension PixelSize {
  fileprivate func reduced(to side: Int) -> PixelSize {
    let longer = max(width, height)
    guard longer > side else { return self }
    let factor = Double(side) / Double(longer)
    return PixelSize(
      width: max(1, Int((Double(width) * factor).rounded())),
      height: max(1, Int((Double(height) * factor).rounded())))
  }
}

extension Raster {
  fileprivate func reduced(to side: Int) -> Raster {
    fitted(size.window, to: size.reduced(to: side))
  }
}

/// The axis along which a crop of the upright picture can move; lengths are in pixels.
struct CropAxis {
  let isVertical: Bool
  let whole: Double
  /// The length of the crop; `whole` is the length of the picture.
  let seen: Double

  /// Returns nil if the crop shows more than 99.9% of the picture.
  init?(of source: PixelSize, for frame: Frame) {
    guard frame.fit == .fill else { return nil }
    let window = frame.placement(of: source, in: frame.base).window
    let width = Double(source.width)
    let height = Double(source.height)
    isVertical = height - window.height > width - window.width
    whole = isVertical ? height : width
    seen = isVertical ? window.height : window.width
    guard room * 1000 >= whole else { return nil }
  }

  var room: Double { whole - seen }

  func start(keeping focus: Focus) -> Double {
    clamped((isVertical ? focus.y : focus.x) * whole - seen / 2)
  }

  func clamped(_ start: Double) -> Double { max(0, min(start, room)) }

  /// Returns the focus for a crop that begins at `start`; the other coordinate comes from `point`.
  func focus(start: Double, beside point: Focus) -> Focus {
    let middle = (start + seen / 2) / whole * 1000
    // Round towards the edge, so that a crop at the picture's edge stays there.
    let rule: FloatingPointRoundingRule =
      start <= 0 ? .down : start >= room ? .up : .toNearestOrAwayFromZero
    let along = max(0, min(middle.rounded(rule), 1000)) / 1000
    return isVertical ? Focus(x: point.x, y: along) : Focus(x: along, y: point.y)
  }
}

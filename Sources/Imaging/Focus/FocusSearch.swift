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
  private var faces: [Search: FoundFace?] = [:]
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
    if focus.zoom != 1 { result.zoom = focus.zoom }
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
    guard case .face(let detector, _, _, let isQuick, _) = frame.finder,
      resources.cascade(detector) != nil,
      !CropAxis.axes(of: decoded.inspection.uprightSize, for: frame).isEmpty
    else { return false }
    return faces[Search(detector: detector, isQuick: isQuick == true)] == .some(nil)
  }

  private mutating func look(
    for frame: Frame, _ finder: FocusFinder, in decoded: DecodedImage, _ resources: RenderResources
  ) throws(MagickError) -> FoundFocus {
    let given = FoundFocus(focus: frame.focus, method: .given)
    let size = decoded.inspection.uprightSize
    let axes = CropAxis.axes(of: size, for: frame)
    guard !axes.isEmpty || frame.closest(in: size) != frame else { return given }
    switch finder {
    case .smart:
      return try smart(frame, axes, decoded) ?? given
    case .face(let detector, let headRoom, let isSmartOtherwise, let isQuick, _):
      let search = Search(detector: detector, isQuick: isQuick == true)
      if let face = try face(decoded, search, resources) {
        let box = face.box
        var closer = frame
        let zoom = face.zoom(of: frame, in: size)
        if zoom > 1 { closer.zoom = zoom }
        let middle = Focus(
          x: ((box.x + box.width / 2) * 1000).rounded() / 1000,
          y: ((box.y + box.height / 2) * 1000).rounded() / 1000)
        let focus = CropAxis.axes(of: size, for: closer).reduce(middle) {
          $1.focus(start: Self.start(showing: box, along: $1, headRoom: headRoom), beside: $0)
        }
        return FoundFocus(focus: focus, method: .face, zoom: zoom)
      }
      guard isSmartOtherwise else { return given }
      return try smart(frame, axes, decoded) ?? given
    }
  }

  private mutating func smart(
    _ frame: Frame, _ axes: [CropAxis], _ decoded: DecodedImage
  ) throws(MagickError) -> FoundFocus? {
    var focus: Focus?
    for axis in axes {
      guard let start = try smartStart(frame, axis, decoded) else { continue }
      focus = axis.focus(start: start, beside: focus ?? frame.focus)
    }
    return focus.map { FoundFocus(focus: $0, method: .smart) }
  }

  private mutating func smartStart(
    _ frame: Frame, _ axis: CropAxis, _ decoded: DecodedImage
  ) throws(MagickError) -> Double? {
    let size = decoded.inspection.uprightSize
    // Screenshots and comics begin at the top, and a panorama's subject is in the middle.
    if size.height > 3 * size.width, axis.isVertical { return 0 }
    if size.width > 3 * size.height, !axis.isVertical { return axis.room / 2 }
    if saliency == nil { saliency = Saliency(try copy(of: decoded).reduced(to: Saliency.side)) }
    return saliency?.start(along: axis, given: axis.start(keeping: frame.focus))
  }

  private mutating func face(
    _ decoded: DecodedImage, _ search: Search, _ resources: RenderResources
  ) throws(MagickError) -> FoundFace? {
    if let known = faces[search] { return known }
    var face: FoundFace?
    if let cascade = resources.cascade(search.detector) {
      let box = decoded.inspection.uprightSize.reduced(to: Self.side)
      let copy = search.isQuick ? try decoded.sampled(to: box) : try copy(of: decoded)
      face = cascade.face(in: GrayImage(copy), isQuick: search.isQuick)
    }
    faces[search] = .some(face)
    return face
  }

  private mutating func copy(of decoded: DecodedImage) throws(MagickError) -> Raster {
    if let copy { return copy }
    let size = decoded.inspection.uprightSize
    let box = size.reduced(to: Self.side)
    let made = try decoded.fitted(Placement(of: size, in: box, fit: .stretch, focus: .center))
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
    let (top, length) = (face.y * axis.whole, face.height * axis.whole)
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

  /// Returns the axes along which the crop shows at most 99.9% of the picture.
  static func axes(of source: PixelSize, for frame: Frame) -> [CropAxis] {
    guard frame.fit == .fill else { return [] }
    let window = frame.placement(of: source, in: frame.base).window
    return [
      CropAxis(isVertical: false, whole: Double(source.width), seen: window.width),
      CropAxis(isVertical: true, whole: Double(source.height), seen: window.height),
    ].filter { $0.room * 1000 >= $0.whole }
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

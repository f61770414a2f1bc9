import Recipes

/// The value of an EXIF orientation tag, which states how to turn stored pixels upright.
struct ExifOrientation: Hashable, Sendable {
  private let orientation: Int

  init(_ orientation: Int) {
    precondition((1...8).contains(orientation), "orientations are 1 to 8")
    self.orientation = orientation
  }

  /// Whether rows and columns are swapped.
  var isSideways: Bool { orientation >= 5 }
  /// Whether turning the picture upright reverses the order of the stored columns.
  private var flipsColumns: Bool { [2, 3, 7, 8].contains(orientation) }
  /// Whether turning the picture upright reverses the order of the stored rows.
  private var flipsRows: Bool { [3, 4, 6, 7].contains(orientation) }

  func stored(_ upright: PixelSize) -> PixelSize {
    isSideways ? PixelSize(width: upright.height, height: upright.width) : upright
  }

  func stored(_ window: Window, of upright: PixelSize) -> Window {
    var result = window
    if isSideways {
      result = Window(x: window.y, y: window.x, width: window.height, height: window.width)
    }
    let size = stored(upright)
    if flipsColumns { result.x = Double(size.width) - result.x - result.width }
    if flipsRows { result.y = Double(size.height) - result.y - result.height }
    return result
  }

  func upright(_ stored: Raster) -> Raster {
    guard orientation != 1 else { return stored }
    let from = stored.size
    let to = self.stored(from)
    var result = [UInt8](repeating: 0, count: stored.bytes.count)
    var target = result.mutableSpan
    let source = stored.bytes.span
    for row in 0..<from.height {
      let v = flipsRows ? from.height &- 1 &- row : row
      for column in 0..<from.width {
        let u = flipsColumns ? from.width &- 1 &- column : column
        let at = (isSideways ? u &* to.width &+ v : v &* to.width &+ u) &* 4
        let read = (row &* from.width &+ column) &* 4
        for channel in 0..<4 { target[at &+ channel] = source[read &+ channel] }
      }
    }
    return Raster(size: to, bytes: result)
  }
}

import Imaging
import Recipes

extension CanvasLayout {
  /// A canvas with equal margins on every side.
  init(_ width: Int, _ height: Int? = nil, room: Int, outline: Outline) {
    self.init(
      box: PixelSize(width: width, height: height ?? width),
      margins: Margins(top: room, right: room, bottom: room, left: room), outline: outline)
  }

  func rendered(
    _ effects: [Effect], on color: Color = .sky, resources: RenderResources = RenderResources()
  ) throws -> Pixels {
    try ImageMagick.start()
    var picture = try Picture(.color(color), resources: resources)
    return try rendered(effects, of: &picture)
  }

  func rendered(_ effects: [Effect], of picture: inout Picture) throws -> Pixels {
    let margins = Margins(
      top: y, right: canvas.width - x - box.width, bottom: canvas.height - y - box.height, left: x)
    return try Pixels(
      try picture.rendered(
        Recipe(
          frame: Frame(base: box, box: box, fit: .stretch), outline: outline, margins: margins,
          effects: effects, encoding: Encoding(format: .png))))
  }
}

extension Outline {
  init(continuous radius: Double) {
    self.init(
      topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius,
      curve: .continuous)
  }
}

extension Color {
  static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
}

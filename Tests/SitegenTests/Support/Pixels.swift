import Foundation
import Imaging
import Magick

/// The decoded pixels of an image: red, green, blue and straight alpha.
struct Pixels: Hashable {
  let width: Int
  let height: Int
  let bytes: [UInt8]

  init(png: Data) throws {
    ImagingRuntime.declare(.test)
    try ImagingRuntime.start()
    let canvas = try Canvas(decoding: png, coder: "PNG")
    width = canvas.width
    height = canvas.height
    bytes = try canvas.rgba()
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(bytes[start..<start + 4])
  }

  var center: [UInt8] { self[width / 2, height / 2] }

  var alphas: [UInt8] { stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }
}

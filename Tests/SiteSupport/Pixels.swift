package import Foundation
import Imaging
import Magick

/// The decoded pixels of an image: red, green, blue and straight alpha.
package struct Pixels: Hashable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]

  package init(png: Data) throws {
    ImagingRuntime.allowDecoding()
    try ImagingRuntime.start()
    let canvas = try Canvas(decoding: png, coder: "PNG")
    width = canvas.width
    height = canvas.height
    bytes = try canvas.rgba()
  }

  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(bytes[start..<start + 4])
  }

  package var center: [UInt8] { self[width / 2, height / 2] }

  package var alphas: [UInt8] { stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }
}

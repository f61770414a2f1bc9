import CRsvg
package import Foundation

/// A renderer for SVG files that sets no base URL, so that librsvg cannot open other files.
package enum SVGDrawing {
  /// Loads the library and returns its version; call this before the process enters its sandbox.
  package static func version() throws(SVGError) -> String {
    let rsvg = unsafe try library.get().functions
    return unsafe "librsvg \(rsvg.major.pointee).\(rsvg.minor.pointee).\(rsvg.micro.pointee)"
  }

  private static let library = Result { () throws(SVGError) -> Library in
    var functions = unsafe rsvg_functions()
    if let words = unsafe rsvg_load(&functions) {
      throw SVGError(message: unsafe String(cString: words))
    }
    return unsafe Library(functions: functions)
  }

  /// The loaded functions; `@unchecked Sendable`, because the pointers never change.
  @safe private struct Library: @unchecked Sendable {
    let functions: rsvg_functions
  }

  /// Lays out an SVG at the size `whole`, and scales it to RGBA pixels with straight alpha.
  package static func rgba(
    _ file: Data, whole: (width: Int, height: Int), width: Int, height: Int
  ) throws(SVGError) -> [UInt8] {
    var functions = unsafe try library.get().functions
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    var words = [CChar](repeating: 0, count: 256)
    let failure = unsafe file.withUnsafeBytes { file in
      unsafe rsvg_draw(
        &functions, file.bindMemory(to: UInt8.self).baseAddress, file.count, Double(whole.width),
        Double(whole.height), &pixels, Int32(width), Int32(height), &words
      ).map { unsafe String(cString: $0) }
    }
    if let failure { throw SVGError(message: failure) }
    straighten(&pixels)
    return pixels
  }

  /// Converts premultiplied little-endian ARGB to straight RGBA.
  private static func straighten(_ pixels: inout [UInt8]) {
    var bytes = pixels.mutableSpan
    for at in stride(from: 0, to: bytes.count, by: 4) {
      let (blue, green, red) = (Int(bytes[at]), Int(bytes[at &+ 1]), Int(bytes[at &+ 2]))
      let alpha = Int(bytes[at &+ 3])
      if alpha == 0 { continue }
      bytes[at] = UInt8(min((red &* 255 &+ alpha / 2) / alpha, 255))
      bytes[at &+ 1] = UInt8(min((green &* 255 &+ alpha / 2) / alpha, 255))
      bytes[at &+ 2] = UInt8(min((blue &* 255 &+ alpha / 2) / alpha, 255))
    }
  }
}

package struct SVGError: Error, Hashable, Sendable {
  package let message: String
}

import Foundation
import Magick

extension Inspection {
  /// Decodes the file to sRGB, still lying as it is stored.
  ///
  /// The size is checked against the header: ImageMagick may return less than it was asked for
  /// and call it a success.
  func decode(_ bytes: Data, reduction: Int) throws(MagickError) -> Canvas {
    var options: [(key: String, value: String)] = []
    if reduction > 1 {
      options.append(("jpeg:size", decodingHint(reduction: reduction)))
    }
    var canvas = try Canvas(decoding: bytes, coder: format.coder, options: options)
    let wanted = decodedSize(reduction: reduction)
    if format == .gif {
      try canvas.coalesce(width: wanted.width, height: wanted.height)
    }
    let size = PixelSize(width: canvas.width, height: canvas.height)
    guard size == wanted else {
      throw MagickError(
        call: "decoding",
        message: "\(size.width) × \(size.height) pixels came out where the header promises "
          + "\(wanted.width) × \(wanted.height)")
    }
    try canvas.repage()
    try canvas.normalizeColors()
    return canvas
  }

  /// What makes ImageMagick's JPEG coder divide by exactly `reduction`.
  ///
  /// It takes a size, divides the file's by it and drops the fraction; aiming half a step above
  /// the wanted number leaves no room for rounding.
  func decodingHint(reduction: Int) -> String {
    let divisor = Double(reduction) + 0.5
    return "\(Double(size.width) / divisor)x\(Double(size.height) / divisor)"
  }
}

extension Inspection.Format {
  /// ImageMagick's name.
  var coder: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WEBP"
    case .gif: "GIF"
    case .avif: "AVIF"
    case .heic: "HEIC"
    }
  }
}

extension MagickError {
  /// ImageMagick's words without the place in its source code.
  var sentence: String {
    let words = message.components(separatedBy: " @ ")[0]
    return words.isEmpty ? "\(call) failed without a reason" : "\(call): \(words)"
  }
}

import CMagickWand
import Foundation

/// A check, at every start, that ImageMagick's policy refuses forbidden operations.
///
/// Each attempt must fail because of the policy: other errors do not prove that the policy works.
enum Canary {
  private static let blobs: [(coder: String, text: String)] = [
    ("MVG", "viewbox 0 0 8 8 rectangle 0,0 7,7"),
    ("SVG", "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"),
    ("MSVG", "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"),
    ("MSL", "<?xml version='1.0'?><image/>"),
    ("TEXT", "canary"),
    ("PS", "%!PS"),
    ("PDF", "%PDF-1.4"),
    ("PPM", "P3 1 1 255 0 0 0"),
  ]

  /// File names that make ImageMagick open a file or socket, run a program, or draw something.
  private static let names = [
    "/etc/hostname.png", "PNG:/etc/hostname", "text:/etc/hostname", "@/etc/hostname.png",
    "https://localhost/canary.png",
  ]

  /// Names of pseudo coders, which ImageMagick 7 reports as missing under this policy.
  private static let pseudo = [
    "label:canary", "xc:red", "inline:data:image/png;base64,AAAA", "epdf:canary",
  ]

  /// Throws unless the policy refuses every attempt and the limits are in effect.
  static func check() throws(MagickRefusal) {
    for (coder, text) in blobs {
      let wand = Wand()
      // These two calls may fail; only the result of the read matters.
      _ = unsafe MagickSetFormat(wand.pointer, coder)
      _ = unsafe MagickSetFilename(wand.pointer, coder + ":")
      var text = text
      let result = text.withUTF8 { buffer in
        unsafe MagickReadImageBlob(wand.pointer, buffer.baseAddress, buffer.count)
      }
      try expectRefusal(of: coder, result, wand.failure("MagickReadImageBlob"))
    }
    for name in names + pseudo {
      let wand = Wand()
      let result = unsafe MagickReadImage(wand.pointer, name)
      let error = wand.failure("MagickReadImage")
      if pseudo.contains(name), result == MagickFalse, error.isMissingCoder { continue }
      try expectRefusal(of: name, result, error)
    }
    try expectLimits()
    try expectRefusalOfWidePicture()
  }

  private static func expectRefusalOfWidePicture() throws(MagickRefusal) {
    do throws(MagickError) {
      let canvas = try Canvas(rgba: [0, 0, 0, 255].span, width: 1, height: 1)
      try canvas.wand.check(
        unsafe MagickExtentImage(canvas.wand.pointer, Int(Policy.side) + 1, 1, 0, 0),
        "MagickExtentImage")
    } catch {
      if error.message.contains("width or height exceeds limit") { return }
    }
    throw MagickRefusal("a picture that exceeds the width limit was not rejected")
  }

  private static func expectRefusal(
    of what: String, _ result: MagickBooleanType, _ error: MagickError
  ) throws(MagickRefusal) {
    guard result == MagickFalse, error.isPolicy else {
      throw MagickRefusal("the security policy did not refuse \(what)")
    }
  }

  static func expectLimits() throws(MagickRefusal) {
    for (name, resource, wanted) in Policy.limits {
      let actual = UInt64(MagickGetResourceLimit(resource))
      guard actual == wanted else {
        throw MagickRefusal("the \(name) limit is \(actual) instead of \(wanted)")
      }
    }
  }
}

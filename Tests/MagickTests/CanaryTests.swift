import Foundation
import Magick
import Testing

struct CanaryTests {
  /// I9: the policy rejects content that is not a raster picture under any name.
  @Test(arguments: [
    (
      "SVG",
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
    ),
    ("MSVG", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"),
    ("MVG", "viewbox 0 0 9 9 image over 0,0 0,0 '/etc/passwd'"),
    ("MSL", "<?xml version='1.0'?><image><read filename='/etc/passwd'/></image>"),
    ("PS", "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage"),
    ("PDF", "%PDF-1.4\n"), ("XPS", "PK"), ("TXT", "canary"), ("TEXT", "canary"),
    ("URL", "https://localhost/"), ("HTML", "<html></html>"), ("CAPTION", "canary"),
    ("LABEL", "canary"), ("INLINE", "data:image/gif;base64,R0lGODlhAQABAAAAACw="),
    ("PPM", "P3 1 1 255 9 9 9"), ("TIFF", "II*\0"), ("BMP", "BM"), ("MIFF", "id=ImageMagick"),
    ("AVIF", "\0\0\0\u{10}ftypavif\0\0\0\0"), ("HEIC", "\0\0\0\u{10}ftypheic\0\0\0\0"),
  ])
  func `the policy rejects every unlisted format`(coder: String, text: String) throws {
    try MagickRuntime.start()
    let error = #expect(throws: MagickError.self) {
      _ = try Canvas(decoding: Data(text.utf8), coder: coder)
    }
    #expect(error?.isPolicy == true)
  }

  @Test(arguments: ["PNG", "GIF", "WEBP", "JPEG"])
  func `every allowed decoder rejects files in other formats`(coder: String) throws {
    try MagickRuntime.start()
    let texts = [
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
      "viewbox 0 0 9 9 rectangle 0,0 8,8", "%PDF-1.4\n", String(repeating: "x", count: 4096), "",
    ]
    for text in texts {
      #expect(throws: MagickError.self) {
        _ = try Canvas(decoding: Data(text.utf8), coder: coder)
      }
    }
  }

  /// 16,384 is the largest side that inspection accepts.
  @Test(arguments: [(16_384, 1), (1, 16_384)])
  func `the limits allow every picture that inspection accepts`(width: Int, height: Int) throws {
    try MagickRuntime.start()
    let pixels = [UInt8](repeating: 200, count: width * height * 4)
    for coder in ["PNG", "JPEG"] {
      let canvas = try Canvas(rgba: pixels.span, width: width, height: height)
      let file = try canvas.encoded(as: coder)
      let read = try Canvas(decoding: file, coder: coder)
      #expect(read.width == width && read.height == height)
    }
  }

  @Test func `the policy folder is removed after startup`() throws {
    try MagickRuntime.start()
    let path = try #require(ProcessInfo.processInfo.environment["MAGICK_CONFIGURE_PATH"])
    #expect(path.contains("sitegen-policy-"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// The first bytes of files that are not pictures, or pictures in unsupported formats.
package enum Foreign {
  /// The name that a message should use, and the bytes of each file.
  package static let files: [(name: String, bytes: Data)] = [
    ("SVG", text("<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"/etc/passwd\"/></svg>")),
    ("XML", text("<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<SVG width=\"1\"/>")),
    ("SVG", Data([0xEF, 0xBB, 0xBF]) + text("\n <svg viewBox=''/>")),
    ("drawing script", text("push graphic-context\nimage over 0,0 0,0 'url(https://x)'\npop")),
    ("drawing script", text("viewbox 0 0 640 480 image copy 200,200 100,100 'label:@/etc/hosts'")),
    ("ImageMagick script", text("<?xml version=\"1.0\"?><msl><read filename=\"a\"/></msl>")),
    ("PDF", text("%PDF-1.7\n1 0 obj")),
    ("PostScript", text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1")),
    ("BMP", Data(Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0])),
    ("TIFF", Data(Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0])),
    ("TIFF", Data(Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0])),
    ("icon", Data([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0])),
    ("JPEG 2000", Data([0, 0, 0, 12] + "jP  \r\n".utf8 + [0x87, 0x0A])),
    ("JPEG XL", Data([0xFF, 0x0A, 0xFA, 0x1F, 0x41, 0x50])),
    ("JPEG XL", Data([0, 0, 0, 12] + "JXL \r\n".utf8 + [0x87, 0x0A])),
    ("HTML", text("<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head></html>")),
    ("XML", text("<?xml version=\"1.0\"?><feed/>")),
    ("plain text", text("not a picture, whatever its name says\n")),
    ("plain text", text("https://example.org/ada.png")),
    ("Git LFS", text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")),
    ("ZIP", Data(Array("PK".utf8) + [3, 4, 20, 0, 0, 0, 8, 0])),
    ("gzip", Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])),
    ("Photoshop", text("8BPS\0\u{1}\0\0\0\0\0\0")),
    ("MP4", Data(TestPicture.box("ftyp", Array("isom\0\0\0\0isommp42".utf8)))),
    ("QuickTime", Data(TestPicture.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8)))),
    ("WAV", text("RIFF\u{24}\0\0\0WAVEfmt ")),
    ("AVI", text("RIFF\u{24}\0\0\0AVI LIST")),
    ("unknown", Data([0xDE, 0xAD, 0xBE, 0xEF, 0, 1, 2, 3, 4, 5, 6, 7, 8])),
  ]

  private static func text(_ text: String) -> Data { Data(text.utf8) }
}

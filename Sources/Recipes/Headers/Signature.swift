import Bytes
import Foundation

/// The file type, detected from the first bytes; file names and content types are ignored.
package enum Signature: Equatable {
  case picture(Inspection.Format)
  /// An unsupported type, with its name for messages, such as `a PDF document`.
  case foreign(String)
  /// A file that is too short to identify but may be a picture.
  case beginning
  case unknown

  init(of bytes: FileBytes) {
    if bytes.has([0xFF, 0xD8, 0xFF]) {
      self = .picture(.jpeg)
    } else if bytes.has(Self.png) {
      self = .picture(.png)
    } else if bytes.has("GIF87a".utf8) || bytes.has("GIF89a".utf8) {
      self = .picture(.gif)
    } else if bytes.has("RIFF".utf8), bytes.has("WEBP".utf8, at: 8) {
      self = .picture(.webp)
    } else if bytes.has("ftyp".utf8, at: 4) {
      self = Self.mediaFile(bytes)
    } else if let name = Self.binaryName(of: bytes) ?? Self.textName(of: bytes) {
      self = name == Self.drawing ? .picture(.svg) : .foreign(name)
    } else {
      self = .unknown
    }
  }

  package static func isPicture(_ bytes: [UInt8]) -> Bool {
    if case .picture = Signature(of: FileBytes(Data(bytes))) { true } else { false }
  }

  package static let png: [UInt8] = [0x89] + "PNG\r\n\u{1A}\n".utf8

  private static func mediaFile(_ bytes: FileBytes) -> Signature {
    guard let size = try? bytes.big(4, at: 0), let major = try? bytes.code(at: 8) else {
      return .beginning
    }
    var brands = [major]
    // Read at most 64 compatible brands, which is far more than any writer lists.
    var position = 16
    while position + 4 <= min(size, 272), let brand = try? bytes.code(at: position) {
      brands.append(brand)
      position += 4
    }
    for brand in brands {
      switch brand {
      case "avif", "avis": return .picture(.avif)
      case "heic", "heix", "heim", "heis", "hevc", "hevx": return .picture(.heic)
      default: continue
      }
    }
    // In a truncated file, the list of compatible brands may be incomplete.
    if bytes.count < min(size, 272) { return .beginning }
    switch major {
    case "mif1", "msf1", "mif2": return .foreign("a HEIF picture of an unknown type")
    case "qt  ": return .foreign("a QuickTime video")
    case "jp2 ", "jpx ", "jpm ": return .foreign("a JPEG 2000 picture")
    default: return .foreign("an MP4 video")
    }
  }

  private static func binaryName(of bytes: FileBytes) -> String? {
    for (pattern, name) in binaryNames where bytes.has(pattern) { return name }
    if bytes.has("RIFF".utf8), bytes.count >= 12 {
      if bytes.has("AVI ".utf8, at: 8) { return "an AVI video" }
      return bytes.has("WAVE".utf8, at: 8) ? "a WAV sound file" : "a RIFF file other than WebP"
    }
    return nil
  }

  private static let binaryNames: [([UInt8], String)] = [
    (Array("%PDF-".utf8), "a PDF document"),
    (Array("%!".utf8), "a PostScript document"),
    (Array("II*\0".utf8), "a TIFF picture"),
    (Array("MM\0*".utf8), "a TIFF picture"),
    ([0, 0, 1, 0], "a Windows icon"),
    ([0, 0, 0, 12] + "jP  ".utf8, "a JPEG 2000 picture"),
    ([0, 0, 0, 12] + "JXL ".utf8, "a JPEG XL picture"),
    ([0xFF, 0x0A], "a JPEG XL picture"),
    (Array("8BPS".utf8), "a Photoshop document"),
    (Array("gimp xcf".utf8), "a GIMP document"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM video"),
    (Array("OggS".utf8), "an Ogg file"),
    (Array("ID3".utf8), "an MP3 sound file"),
    (Array("BM".utf8), "a BMP picture"),
  ]

  /// Identifies text formats by the first 4 KiB, because Illustrator's prologue is 2 KiB long.
  private static func textName(of bytes: FileBytes) -> String? {
    let text = bytes.data.prefix(4_096).dropFirst(bytes.has([0xEF, 0xBB, 0xBF]) ? 3 : 0)
      .map(\.asciiLowercased)
    guard text.count >= 4,
      text.allSatisfy({ $0 >= 0x20 || (9...13).contains($0) || $0 == 0x1B })
    else { return nil }
    let words = String(decoding: text, as: UTF8.self)
    // A multi-byte character may be cut off at the end; more decoding errors mean binary data.
    let isText = words.unicodeScalars.count { $0 == "\u{FFFD}" } <= 2
    for (pattern, name) in textNames where words.contains(pattern) { return name }
    let head = words.drop { $0.isWhitespace }
    if head.hasPrefix("push graphic-context") || head.hasPrefix("viewbox ") {
      return "an ImageMagick drawing script"
    }
    if head.hasPrefix("version https://git-lfs") { return "a Git LFS pointer, not the file itself" }
    if head.hasPrefix("<?xml") { return "an XML document" }
    if head.hasPrefix("{\\rtf") { return "an RTF document" }
    return isText ? "plain text" : nil
  }

  private static let textNames: [(String, String)] = [
    ("<msl", "an ImageMagick script"),
    ("<!doctype html", "an HTML page"),
    ("<html", "an HTML page"),
    ("<head", "an HTML page"),
    ("<body", "an HTML page"),
    // Checked after HTML, because an HTML page may contain an SVG.
    ("<svg", drawing),
    (":svg", drawing),
    ("<!doctype svg", drawing),
  ]

  private static let drawing = "an SVG drawing"
}

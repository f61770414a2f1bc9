import CFreeType
import CHarfBuzz
import Foundation

/// The owner of a font's FreeType and HarfBuzz objects, and of the bytes to which both point.
@safe final class FontHandles {
  let library: FT_Library
  private(set) var face: FT_Face?
  private(set) var font: OpaquePointer?
  private let memory: UnsafeMutableRawPointer

  init(_ bytes: Data) throws(LetteringError) {
    guard let copy = unsafe malloc(max(bytes.count, 1)) else { throw .unusable("out of memory") }
    guard let library = unsafe sitegen_ft_library() else {
      unsafe free(copy)
      throw .unusable("FreeType is out of memory")
    }
    unsafe memory = copy
    unsafe self.library = library
    unsafe bytes.withUnsafeBytes { buffer in
      // Safe: `copy` is at least as large as the buffer.
      if let start = buffer.baseAddress {
        unsafe copy.copyMemory(from: start, byteCount: buffer.count)
      }
    }
    try open(count: bytes.count)
  }

  private func open(count: Int) throws(LetteringError) {
    var face: FT_Face?
    let start = unsafe memory.assumingMemoryBound(to: UInt8.self)
    guard unsafe FT_New_Memory_Face(library, start, count, 0, &face) == 0,
      let face = unsafe face
    else { throw .unusable("it is not a font") }
    unsafe self.face = face
    guard unsafe sitegen_ft_is_sfnt(face) != 0 else {
      throw .unusable("it is neither TrueType nor OpenType")
    }
    let text = unsafe memory.assumingMemoryBound(to: CChar.self)
    let blob = unsafe hb_blob_create(
      text, UInt32(clamping: count), HB_MEMORY_MODE_READONLY, nil, nil)
    let shapes = unsafe hb_face_create(blob, 0)
    unsafe hb_blob_destroy(blob)
    let glyphs = unsafe hb_face_get_glyph_count(shapes)
    unsafe font = hb_font_create(shapes)
    unsafe hb_face_destroy(shapes)
    unsafe hb_ot_font_set_funcs(font)
    guard glyphs > 0 else { throw .unusable("it does not contain any glyphs") }
  }

  deinit {
    if let font = unsafe font { unsafe hb_font_destroy(font) }
    if let face = unsafe face { _ = unsafe FT_Done_Face(face) }
    _ = unsafe FT_Done_Library(library)
    unsafe free(memory)
  }
}

/// The versions of the libraries that affect the appearance of text.
package enum LetteringVersions {
  package static let all: [String] = {
    var versions: [String] = []
    if let library = unsafe sitegen_ft_library() {
      var (major, minor, patch): (FT_Int, FT_Int, FT_Int) = (0, 0, 0)
      unsafe FT_Library_Version(library, &major, &minor, &patch)
      _ = unsafe FT_Done_Library(library)
      versions.append("FreeType \(major).\(minor).\(patch)")
    }
    if let text = unsafe hb_version_string() {
      versions.append("HarfBuzz \(unsafe String(cString: text))")
    }
    return versions
  }()
}

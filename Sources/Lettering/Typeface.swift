import CFreeType
import CHarfBuzz
package import Foundation

/// An opened font, for use on a single thread; fonts are untrusted, so calls must never crash.
@safe package final class Typeface {
  let handles: FontHandles
  let unitsPerEm: Int
  /// The pixels per em of the colour bitmaps; nil for an outline font.
  let strikePixels: Double?

  /// A cache of recently used bitmaps; a value is nil if the glyph lacks a bitmap.
  private var bitmaps: [UInt32: GlyphBitmap?] = [:]
  private static let bitmapLimit = 8

  /// Opens a TrueType or OpenType font, or the first font in a collection.
  package init(_ bytes: Data) throws(LetteringError) {
    handles = try FontHandles(bytes)
    guard let face = unsafe handles.face, let font = unsafe handles.font else {
      throw .unusable("it is not a font")
    }
    let units = Int(unsafe hb_face_get_upem(hb_font_get_face(font)))
    guard (16...16_384).contains(units) else {
      throw .unusable("its em size is \(units) units; it must be between 16 and 16384")
    }
    unitsPerEm = units
    unsafe hb_font_set_scale(font, Int32(units), Int32(units))
    strikePixels = unsafe Self.selectStrike(of: face)
    let isScalable = unsafe sitegen_ft_is_scalable(face) != 0
    guard strikePixels != nil || isScalable else {
      throw .unusable("it has neither outlines nor coloured bitmaps")
    }
  }

  private static func selectStrike(of face: FT_Face) -> Double? {
    guard unsafe sitegen_ft_has_color(face) != 0, let sizes = unsafe face.pointee.available_sizes
    else { return nil }
    var best: (index: Int, pixels: Double)?
    for index in 0..<Int(unsafe face.pointee.num_fixed_sizes) {
      let pixels = Double(unsafe sizes[index].y_ppem) / 64
      if pixels > best?.pixels ?? 0 { best = (index, pixels) }
    }
    guard let best, unsafe FT_Select_Size(face, Int32(best.index)) == 0 else { return nil }
    return best.pixels
  }

  func has(_ scalar: Unicode.Scalar) -> Bool {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(handles.font, scalar.value, &glyph) != 0 && glyph != 0
  }

  struct Run: Hashable {
    struct Glyph: Hashable {
      var id: UInt32
      var x: Int
      var y: Int
    }

    var glyphs: [Glyph] = []
    /// The offset to the next run, in font units.
    var advance = 0
  }

  private static let glyphLimit = 256

  /// Shapes text in one script; returns nil if the font lacks one of the glyphs.
  func shape(_ text: String, keepsApart: Bool = false) -> Run? {
    guard let buffer = unsafe hb_buffer_create() else { return nil }
    defer { unsafe hb_buffer_destroy(buffer) }
    let scalars = text.unicodeScalars.map(\.value)
    unsafe scalars.withUnsafeBufferPointer { scalars in
      let count = Int32(clamping: scalars.count)
      unsafe hb_buffer_add_utf32(buffer, scalars.baseAddress, count, 0, count)
    }
    // Set the language, because HarfBuzz would otherwise use the machine's locale.
    unsafe hb_buffer_set_language(buffer, hb_language_from_string("und", -1))
    unsafe hb_buffer_guess_segment_properties(buffer)
    guard unsafe sitegen_shape(handles.font, buffer, keepsApart ? 1 : 0) != 0 else { return nil }
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let positions = unsafe hb_buffer_get_glyph_positions(buffer, nil)
    else { return nil }
    // A malicious font may expand a letter to thousands of glyphs.
    guard count <= Self.glyphLimit else { return nil }
    var run = Run()
    for index in 0..<Int(count) {
      let id = unsafe infos[index].codepoint
      let position = unsafe positions[index]
      // Glyph 0 is `.notdef`, the box for missing characters.
      guard id != 0 else { return nil }
      run.glyphs.append(
        Run.Glyph(id: id, x: run.advance + Int(position.x_offset), y: Int(position.y_offset)))
      run.advance += Int(position.x_advance)
    }
    return run
  }

  /// Returns a run's ink bounds in ems; nil if nothing is visible.
  func ink(of run: Run) throws(LetteringError) -> InkBox? {
    var box: InkBox?
    for glyph in run.glyphs {
      guard var part = try ink(of: glyph.id) else { continue }
      part.left += Double(glyph.x)
      part.right += Double(glyph.x)
      part.bottom += Double(glyph.y)
      part.top += Double(glyph.y)
      box = box?.union(part) ?? part
    }
    return box?.scaled(by: 1 / Double(unitsPerEm))
  }

  private func ink(of glyph: UInt32) throws(LetteringError) -> InkBox? {
    if let strikePixels, let bitmap = try bitmap(of: glyph) {
      return bitmap.ink.scaled(by: Double(unitsPerEm) / strikePixels)
    }
    let slot = try unsafe load(glyph, sitegen_ft_unscaled())
    guard unsafe sitegen_ft_holds_outline(slot) != 0, unsafe slot.pointee.outline.n_points > 0
    else { return nil }
    var box = FT_BBox()
    guard unsafe FT_Outline_Get_BBox(&slot.pointee.outline, &box) == 0,
      box.xMin < box.xMax, box.yMin < box.yMax
    else { return nil }
    return InkBox(
      left: Double(box.xMin), bottom: Double(box.yMin), right: Double(box.xMax),
      top: Double(box.yMax))
  }

  /// Returns nil if the glyph is empty or contains only an outline.
  func bitmap(of glyph: UInt32) throws(LetteringError) -> GlyphBitmap? {
    guard strikePixels != nil else { return nil }
    if let known = bitmaps[glyph] { return known }
    let bitmap = try readBitmap(of: glyph)
    if bitmaps.count >= Self.bitmapLimit { bitmaps.removeAll() }
    bitmaps[glyph] = .some(bitmap)
    return bitmap
  }

  func load(_ glyph: UInt32, _ flags: FT_Int32) throws(LetteringError) -> FT_GlyphSlot {
    guard let face = unsafe handles.face else { throw .unusable("it is not a font") }
    let error = unsafe FT_Load_Glyph(face, glyph, flags)
    guard error == 0, let slot = unsafe face.pointee.glyph else {
      throw .unusable("its glyph \(glyph) is damaged (FreeType error \(error))")
    }
    return unsafe slot
  }
}

package enum LetteringError: Error, Hashable, Sendable {
  /// The bytes are not a usable font, or a glyph is broken.
  case unusable(String)
  /// Code points that no font covers, or a cluster that needs more than one font.
  case missing([UInt32])
}

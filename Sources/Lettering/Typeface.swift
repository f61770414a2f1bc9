import CFreeType
import CHarfBuzz
package import Foundation

/// One opened font.
///
/// It stays on the thread that opened it. Fonts come from strangers: whatever the bytes hold, a call
/// returns a value or throws.
@safe package final class Typeface {
  let handles: FontHandles
  /// Units of the font in one em.
  let unitsPerEm: Int
  /// Pixels of an em in the coloured bitmaps; nil for a font of outlines.
  let strikePixels: Double?

  /// The pictures of the last few glyphs, since a line asks for each several times; nil for those
  /// without.
  private var bitmaps: [UInt32: GlyphBitmap?] = [:]
  private static let bitmapLimit = 8

  /// Opens TrueType and OpenType, of a collection the first font.
  package init(_ bytes: Data) throws(LetteringError) {
    handles = try FontHandles(bytes)
    guard let face = unsafe handles.face, let font = unsafe handles.font else {
      throw .unusable("it is no font")
    }
    let units = Int(unsafe hb_face_get_upem(hb_font_get_face(font)))
    guard (16...16_384).contains(units) else {
      throw .unusable("an em has \(units) units, allowed are 16 to 16384")
    }
    unitsPerEm = units
    unsafe hb_font_set_scale(font, Int32(units), Int32(units))
    strikePixels = unsafe Self.selectStrike(of: face)
    let isScalable = unsafe sitegen_ft_is_scalable(face) != 0
    guard strikePixels != nil || isScalable else {
      throw .unusable("it has neither outlines nor coloured bitmaps")
    }
  }

  /// Takes the largest bitmaps of a font that has coloured ones.
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

  /// Whether the font maps a code point to a glyph; shaping may still replace it.
  func has(_ scalar: Unicode.Scalar) -> Bool {
    var glyph: hb_codepoint_t = 0
    return unsafe hb_font_get_nominal_glyph(handles.font, scalar.value, &glyph) != 0 && glyph != 0
  }

  /// Glyphs and their positions.
  struct Run: Hashable {
    struct Glyph: Hashable {
      var id: UInt32
      /// In units of the font, from the start of the run on the baseline.
      var x: Int
      var y: Int
    }

    var glyphs: [Glyph] = []
    /// Where the next run starts, in units of the font.
    var advance = 0
  }

  private static let glyphLimit = 256

  /// Lays out a text of one script; nil when the font lacks a glyph for any part of it.
  func shape(_ text: String, keepsApart: Bool = false) -> Run? {
    guard let buffer = unsafe hb_buffer_create() else { return nil }
    defer { unsafe hb_buffer_destroy(buffer) }
    let scalars = text.unicodeScalars.map(\.value)
    unsafe scalars.withUnsafeBufferPointer { scalars in
      let count = Int32(clamping: scalars.count)
      unsafe hb_buffer_add_utf32(buffer, scalars.baseAddress, count, 0, count)
    }
    // Without it the language would be that of the machine.
    unsafe hb_buffer_set_language(buffer, hb_language_from_string("und", -1))
    unsafe hb_buffer_guess_segment_properties(buffer)
    guard unsafe sitegen_shape(handles.font, buffer, keepsApart ? 1 : 0) != 0 else { return nil }
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let positions = unsafe hb_buffer_get_glyph_positions(buffer, nil)
    else { return nil }
    // A hostile font may replace one letter by thousands.
    guard count <= Self.glyphLimit else { return nil }
    var run = Run()
    for index in 0..<Int(count) {
      let id = unsafe infos[index].codepoint
      let position = unsafe positions[index]
      // Glyph 0 is the box that stands for what a font does not have.
      guard id != 0 else { return nil }
      run.glyphs.append(
        Run.Glyph(id: id, x: run.advance + Int(position.x_offset), y: Int(position.y_offset)))
      run.advance += Int(position.x_advance)
    }
    return run
  }

  /// The box around a run's ink, in ems; nil when nothing is visible.
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

  /// Of one glyph, in units of the font.
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

  /// The coloured picture of a glyph; nil where the font has only an outline, or nothing.
  func bitmap(of glyph: UInt32) throws(LetteringError) -> GlyphBitmap? {
    guard strikePixels != nil else { return nil }
    if let known = bitmaps[glyph] { return known }
    let bitmap = try readBitmap(of: glyph)
    if bitmaps.count >= Self.bitmapLimit { bitmaps.removeAll() }
    bitmaps[glyph] = .some(bitmap)
    return bitmap
  }

  func load(_ glyph: UInt32, _ flags: FT_Int32) throws(LetteringError) -> FT_GlyphSlot {
    guard let face = unsafe handles.face else { throw .unusable("it is no font") }
    let error = unsafe FT_Load_Glyph(face, glyph, flags)
    guard error == 0, let slot = unsafe face.pointee.glyph else {
      throw .unusable("its glyph \(glyph) is broken (FreeType's error \(error))")
    }
    return unsafe slot
  }
}

/// Why a text could not be drawn.
package enum LetteringError: Error, Hashable, Sendable {
  /// The bytes are no font that can be drawn from, or one of its glyphs is broken.
  case unusable(String)
  /// No font has these code points, or none has all that one letter is made of.
  case missing([UInt32])
}

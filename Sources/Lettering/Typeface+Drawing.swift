import CFreeType

extension Typeface {
  /// Draws a run's outlines from `x` on the baseline `y`; throws if a glyph is broken or too large.
  func draw(
    _ run: Run, emPixels: Double, x: Double, y: Double, into coverage: inout InkCoverage
  ) throws(LetteringError) {
    let scale = emPixels / Double(unitsPerEm)
    for glyph in run.glyphs where try bitmap(of: glyph.id) == nil {
      let slot = try unsafe load(glyph.id, sitegen_ft_unscaled())
      guard unsafe sitegen_ft_holds_outline(slot) != 0, unsafe slot.pointee.outline.n_points > 0
      else { continue }
      try unsafe draw(
        &slot.pointee.outline, scale: scale, x: x + Double(glyph.x) * scale,
        y: y - Double(glyph.y) * scale, into: &coverage)
    }
  }

  private func draw(
    _ outline: UnsafeMutablePointer<FT_Outline>, scale: Double, x: Double, y: Double,
    into coverage: inout InkCoverage
  ) throws(LetteringError) {
    // Convert font units to 26.6 fixed-point pixels.
    let factor = Int((scale * 64 * 65_536).rounded())
    var matrix = FT_Matrix(xx: factor, xy: 0, yx: 0, yy: factor)
    unsafe FT_Outline_Transform(outline, &matrix)
    unsafe FT_Outline_Translate(
      outline, Int((x * 64).rounded()), Int(((Double(coverage.height) - y) * 64).rounded()))
    var box = FT_BBox()
    unsafe FT_Outline_Get_CBox(outline, &box)
    let limit = Self.reach * 64
    guard box.xMin > -limit, box.yMin > -limit, box.xMax < limit, box.yMax < limit else {
      throw .unusable("one of its glyphs is too large to draw")
    }
    // The pixels touched by the glyph, in FreeType's coordinates, whose rows start at the bottom.
    let columns = (box.xMin >> 6..<(box.xMax + 63) >> 6).clamped(to: 0..<coverage.width)
    let rows = (box.yMin >> 6..<(box.yMax + 63) >> 6).clamped(to: 0..<coverage.height)
    guard columns.count > 0, rows.count > 0 else { return }
    unsafe FT_Outline_Translate(outline, -columns.lowerBound * 64, -rows.lowerBound * 64)
    var part = [UInt8](repeating: 0, count: columns.count * rows.count)
    let error = unsafe part.withUnsafeMutableBufferPointer { buffer in
      var bitmap = unsafe sitegen_ft_coverage(
        buffer.baseAddress, Int32(columns.count), Int32(rows.count))
      return unsafe FT_Outline_Get_Bitmap(handles.library, outline, &bitmap)
    }
    guard error == 0 else {
      throw .unusable("one of its glyphs cannot be drawn (FreeType error \(error))")
    }
    coverage.add(part, columns: columns, top: coverage.height - rows.upperBound)
  }

  /// The coordinate limit of FreeType's rasterizer.
  private static let reach = 30_000
}

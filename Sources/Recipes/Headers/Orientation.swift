extension Inspection {
  /// The orientation that an EXIF block states for its main picture, or 1.
  ///
  /// Like browsers it takes the first tag 0x0112 of the first directory and only as one SHORT of
  /// 1…8. The offsets come from strangers; each read is checked and nothing is followed twice.
  static func orientation(inEXIF block: borrowing Bytes) -> Int {
    (try? statedOrientation(inEXIF: block)) ?? 1
  }

  private static func statedOrientation(
    inEXIF block: borrowing Bytes
  ) throws(Rejection) -> Int? {
    // JPEG always writes `Exif` and two bytes in front, WebP sometimes, PNG never.
    let start = block.has("Exif\0".utf8) ? 6 : 0
    let isLittle = block.has("II*\0".utf8, at: start)
    guard isLittle || block.has("MM\0*".utf8, at: start) else { return nil }
    func number(_ width: Int, at position: Int) throws(Rejection) -> Int {
      isLittle ? try block.little(width, at: position) : try block.big(width, at: position)
    }

    let directory = start + (try number(4, at: start + 4))
    for index in 0..<(try number(2, at: directory)) {
      let entry = directory + 2 + index * 12
      guard try number(2, at: entry) == 0x0112 else { continue }
      let type = try number(2, at: entry + 2)
      let count = try number(4, at: entry + 4)
      let value = try number(2, at: entry + 8)
      return type == 3 && count == 1 && (1...8).contains(value) ? value : nil
    }
    return nil
  }
}

extension TestPicture {
  /// Returns a TIFF block with an orientation, without the `Exif` prefix.
  ///
  /// SHORT (3) and 1 are the only valid values of `type` and `count`.
  package static func exif(
    orientation: Int, isLittle: Bool = false, type: Int = 3, count: Int = 1
  ) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      isLittle ? .little(value, width: width) : .big(value, width: width)
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
    }
    let value = type == 3 ? number(orientation, 2) + [0, 0] : number(orientation, 4)
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(3, 2)
      + entry(0x0100, 4, 1, number(1, 4)) + entry(0x0112, type, count, value)
      + entry(0x0128, 3, 1, number(2, 2) + [0, 0]) + number(0, 4)
  }
}

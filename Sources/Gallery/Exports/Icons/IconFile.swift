import Plan
import Store

/// `favicon.ico`: PNG files in one file, behind a list of them.
enum IconFile {
  /// The head of the file, behind which the images stand in their order.
  ///
  /// Six bytes, then sixteen for each image; numbers begin with their lowest byte.
  static func head(of images: [Asset]) -> [UInt8] {
    // Reserved; the type, 1 for icons; how many there are.
    var head = word(0) + word(1) + word(images.count)
    var offset = 6 + 16 * images.count
    for image in images {
      // 256 is written as 0.
      head += [UInt8(truncatingIfNeeded: image.width), UInt8(truncatingIfNeeded: image.height)]
      // No palette; reserved; planes; bits of a pixel.
      head += [0, 0] + word(1) + word(32)
      head += double(Int(image.bytes)) + double(offset)
      offset += Int(image.bytes)
    }
    return head
  }

  private static func word(_ value: Int) -> [UInt8] {
    [0, 8].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func double(_ value: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

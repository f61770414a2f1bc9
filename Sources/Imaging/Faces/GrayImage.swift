import Recipes

struct GrayImage {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  /// Returns the image at half its size; an odd last row or column is dropped.
  func halved() -> GrayImage {
    let (columns, rows) = (width / 2, height / 2)
    let source = pixels.span
    var result = [UInt8](repeating: 0, count: columns * rows)
    var target = result.mutableSpan
    for row in 0..<rows {
      for column in 0..<columns {
        let at = 2 &* row &* width &+ 2 &* column
        let sum =
          Int(source[at]) &+ Int(source[at &+ 1]) &+ Int(source[at &+ width])
          &+ Int(source[at &+ width &+ 1])
        target[row &* columns &+ column] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
      }
    }
    return GrayImage(width: columns, height: rows, pixels: result)
  }

  func shrunk(by step: Double) -> GrayImage {
    let columns = Self.samples(Int(Double(width) / step), step: step, limit: width)
    let rows = Self.samples(Int(Double(height) / step), step: step, limit: height)
    let source = pixels.span
    var result = [UInt8](repeating: 0, count: columns.count * rows.count)
    var target = result.mutableSpan
    let samples = columns.span
    for row in rows.indices {
      let (top, down) = rows[row]
      let from = top &* width
      let next = from &+ (top &+ 1 < height ? width : 0)
      for column in samples.indices {
        let (left, right) = samples[column]
        let step = left &+ 1 < width ? 1 : 0
        let upper =
          Int(source[from &+ left]) &* (256 &- right)
          &+ Int(source[from &+ left &+ step]) &* right
        let lower =
          Int(source[next &+ left]) &* (256 &- right)
          &+ Int(source[next &+ left &+ step]) &* right
        let sum = upper &* (256 &- down) &+ lower &* down
        target[row &* samples.count &+ column] = UInt8(truncatingIfNeeded: (sum &+ 32768) >> 16)
      }
    }
    return GrayImage(width: columns.count, height: rows.count, pixels: result)
  }

  /// Returns the source pixel before each target centre, and the next pixel's weight in 256ths.
  private static func samples(
    _ count: Int, step: Double, limit: Int
  ) -> [(pixel: Int, share: Int)] {
    (0..<count).map { index in
      let position = max(0, min((Double(index) + 0.5) * step - 0.5, Double(limit - 1)))
      let pixel = Int(position)
      return (pixel, Int(((position - Double(pixel)) * 256).rounded()))
    }
  }
}

extension GrayImage {
  /// Converts a raster to luma; transparent pixels become mid-grey.
  init(_ raster: Raster) {
    width = raster.size.width
    height = raster.size.height
    let bytes = raster.bytes.span
    pixels = (0..<width * height).map { index in
      let at = index &* 4
      let light = Int(luma(bytes[at], bytes[at &+ 1], bytes[at &+ 2]))
      let alpha = Int(bytes[at &+ 3])
      return UInt8(truncatingIfNeeded: (light &* alpha &+ 128 &* (255 &- alpha) &+ 127) / 255)
    }
  }
}

/// Integral images with a fixed row stride, so that a detector computes its offsets only once.
struct BrightnessSums {
  /// One more than the longest side of any searched picture.
  static let stride = Cascade.rowStride

  let sums: [UInt32]
  /// Sums of squares, which may wrap around; subtracting two sums undoes the wrapping.
  let squares: [UInt32]

  init(_ image: GrayImage) {
    precondition(image.width < Self.stride, "a picture must be smaller than the stride")
    let stride = Self.stride
    var first = [UInt32](repeating: 0, count: (image.height + 1) * stride)
    var second = first
    var sums = first.mutableSpan
    var squares = second.mutableSpan
    let pixels = image.pixels.span
    for row in 0..<image.height {
      var sum: UInt32 = 0
      var square: UInt32 = 0
      let above = row &* stride &+ 1
      for column in 0..<image.width {
        let value = UInt32(pixels[row &* image.width &+ column])
        sum &+= value
        square &+= value &* value
        let at = above &+ column
        sums[at &+ stride] = sums[at] &+ sum
        squares[at &+ stride] = squares[at] &+ square
      }
    }
    self.sums = first
    self.squares = second
  }
}

import Recipes

extension Raster {
  /// The colour that most of what is visible has; nil where nothing is.
  ///
  /// Each pixel votes with its alpha for one of 4,096 boxes, 16 steps of red, green and blue each.
  /// The colour is the mean, weighted likewise, of the box with the most votes; of equal boxes the
  /// darker, by red before green before blue.
  var dominantColor: Color? {
    let pixels = bytes.span
    var votes = [Int](repeating: 0, count: 4_096)
    func box(_ at: Int) -> Int {
      Int(pixels[at] >> 4) << 8 | Int(pixels[at &+ 1] >> 4) << 4 | Int(pixels[at &+ 2] >> 4)
    }
    for at in stride(from: 0, to: pixels.count, by: 4) {
      votes[box(at)] &+= Int(pixels[at &+ 3])
    }
    guard let most = votes.max(), most > 0, let winner = votes.firstIndex(of: most) else {
      return nil
    }
    var sums = [0, 0, 0]
    for at in stride(from: 0, to: pixels.count, by: 4) where box(at) == winner {
      for channel in 0..<3 { sums[channel] += Int(pixels[at + channel]) * Int(pixels[at + 3]) }
    }
    let mean = sums.map { UInt8(($0 + most / 2) / most) }
    return Color(red: mean[0], green: mean[1], blue: mean[2])
  }
}

import SiteSupport

/// A nine-patch reader, following Android's published rules.
///
/// - The outermost pixels are the frame: fully transparent or opaque black, with transparent
/// corners.
/// - Black runs in the top row and the left column are stretchable; at least one is required.
/// - At most one black run in the bottom row and the right column is the content area. Without it,
/// the area spans the stretchable pixels.
/// - Other pixels keep their size; stretchable ones share the rest.
struct NinePatchFile {
  struct Broken: Error {
    let why: String
  }

  let columns: [Range<Int>]
  let rows: [Range<Int>]
  let contentColumns: Range<Int>
  let contentRows: Range<Int>
  /// The width and height exclude the frame.
  let width: Int
  let height: Int
  private let pixels: Pixels

  init(_ png: Data) throws { try self.init(Pixels(png: png)) }

  init(_ pixels: Pixels) throws {
    let (right, bottom) = (pixels.width - 1, pixels.height - 1)
    guard right >= 2, bottom >= 2 else { throw Broken(why: "no picture within the frame") }
    for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)]
    where pixels[x, y] != [0, 0, 0, 0] {
      throw Broken(why: "the corner \(x), \(y) is not transparent")
    }
    self.pixels = pixels
    width = pixels.width - 2
    height = pixels.height - 2
    columns = try Self.runs((1..<right).map { pixels[$0, 0] }, "top")
    rows = try Self.runs((1..<bottom).map { pixels[0, $0] }, "left")
    let below = try Self.runs((1..<right).map { pixels[$0, bottom] }, "bottom")
    let beside = try Self.runs((1..<bottom).map { pixels[right, $0] }, "right")
    guard let first = columns.first, let last = columns.last, let top = rows.first,
      let end = rows.last
    else { throw Broken(why: "nothing is repeated") }
    guard below.count <= 1, beside.count <= 1 else { throw Broken(why: "two rooms for content") }
    contentColumns = below.first ?? first.lowerBound..<last.upperBound
    contentRows = beside.first ?? top.lowerBound..<end.upperBound
  }

  private static func runs(_ line: [[UInt8]], _ side: String) throws -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (place, pixel) in line.enumerated() {
      if pixel == [0, 0, 0, 0] { continue }
      guard pixel == [0, 0, 0, 255] else { throw Broken(why: "\(side) has \(pixel) at \(place)") }
      if let last = runs.last, last.upperBound == place {
        runs[runs.count - 1] = last.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs
  }

  func stretched(width: Int, height: Int) throws -> [UInt8] {
    let across = try Self.places(columns, of: self.width, over: width)
    let down = try Self.places(rows, of: self.height, over: height)
    return down.flatMap { y in across.flatMap { x in pixels[x + 1, y + 1] } }
  }

  /// Returns the source pixel for each pixel of a stretched side.
  private static func places(
    _ runs: [Range<Int>], of length: Int, over target: Int
  ) throws -> [Int] {
    let isRepeated = (0..<length).map { place in runs.contains { $0.contains(place) } }
    let elastic = isRepeated.count { $0 }
    let left = target - (length - elastic)
    guard left >= 0, elastic > 0, left % elastic == 0 else {
      throw Broken(why: "\(target) pixels cannot be shared out")
    }
    return (0..<length).flatMap { place in
      Array(repeating: place, count: isRepeated[place] ? left / elastic : 1)
    }
  }
}

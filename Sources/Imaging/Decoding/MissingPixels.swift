import Bytes
import Foundation
import JPEG
import Magick
import Recipes

struct MissingPixels {
  /// The incomplete rows, in ascending order.
  var rows: [Int] = []
  /// Whether rows are missing, or the last scans of a progressive JPEG.
  var isVisible = false

  var flags: PictureTraits.Flags { isVisible ? .truncated : [] }

  /// Copies the row above into each missing row, so that stale decoder memory is never shown.
  func fill(_ pixels: inout [UInt8], rowBytes count: Int) {
    for row in rows {
      for index in row * count..<(row + 1) * count { pixels[index] = pixels[index - count] }
    }
  }
}

extension Inspection {
  /// Completes a truncated file if necessary, and finds its missing pixels.
  ///
  /// Throws if the picture, or the file's last scan or pass, lacks more than a tenth of the rows.
  func completed(_ file: Data, reduction: Int) throws -> (file: Data, missing: MissingPixels) {
    switch format {
    case .jpeg: (file, try missingPixels(ofJPEG: file, reduction: reduction))
    case .png: try completed(png: [UInt8](file))
    default: (file, MissingPixels())
    }
  }

  func missingPixels(ofJPEG file: Data, reduction: Int) throws(Rejection) -> MissingPixels {
    // The coefficients of a larger picture would not fit in memory.
    guard InspectionLimits.standard.allow(size, .png), let extent = JPEGPixels.extent(of: file)
    else {
      throw Rejection(.truncated, "the picture data ends before the last row")
    }
    try Self.check(min(extent.rows, extent.refined), of: size.height)
    let isVisible = extent.refined < size.height || !extent.isComplete
    guard extent.rows < size.height else { return MissingPixels(isVisible: isVisible) }
    // Chroma upsampling mixes the last complete row with the first missing one.
    let start = max(1, extent.rows / reduction - 1)
    return MissingPixels(
      rows: Array(start..<decodedSize(reduction: reduction).height), isVisible: true)
  }

  /// Decompresses the rows, replaces missing bytes with zeros, and recompresses all rows.
  private func completed(png bytes: [UInt8]) throws -> (Data, MissingPixels) {
    let (depth, colorType, isInterlaced) = (Int(bytes[24]), bytes[25], bytes[28] == 1)
    let bits = depth * ([2: 3, 4: 2, 6: 4][colorType] ?? 1)
    // The first column, column step, first row and row step of each Adam7 pass.
    let passes = [
      (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
      (0, 1, 1, 2),
    ]
    var (count, lastStart, lastRows, rowBytes) = (0, 0, [Int](), 1)
    for (left, across, top, down) in isInterlaced ? passes : [(0, 1, 0, 1)] {
      let columns = (size.width - left + across - 1) / across
      lastRows = columns > 0 ? Array(stride(from: top, to: size.height, by: down)) : []
      (lastStart, rowBytes) = (count, (columns * bits + 7) / 8 + 1)
      count += lastRows.count * rowBytes
    }
    var (head, data, position) = (bytes, [UInt8](), 8)
    while position < bytes.count {
      let end = position + 12 + bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      if bytes[(position + 4)...].starts(with: "IDAT".utf8) {
        if data.isEmpty { head = Array(bytes[..<position]) }
        data += bytes[position + 8..<end - 4]
      }
      position = end
    }
    var rows = try Zlib.beginning(of: data.span, count: count)
    let held = rows.count < lastStart ? -1 : (rows.count - lastStart) / rowBytes
    try Self.check(held, of: lastRows.count)
    rows += [UInt8](repeating: 0, count: count - rows.count)
    let chunks =
      FourCC("IDAT").pngChunk(try PNGFile.compressed(rows, level: 1)) + FourCC("IEND").pngChunk([])
    let missing = Array(lastRows.dropFirst(held))
    return (Data(head + chunks), MissingPixels(rows: missing, isVisible: !missing.isEmpty))
  }

  private static func check(_ held: Int, of rows: Int) throws(Rejection) {
    guard held * 10 >= rows * 9 else {
      throw Rejection(
        .truncated,
        "the picture data ends early: more than a tenth of its \(rows.grouped) rows are missing")
    }
  }
}

package import Foundation

/// The header and alpha of a WebP file, to be reused for pictures with the same alpha.
package struct WebPHead: Hashable, Sendable {
  private let chunks: Data

  private static let riffCount = 12

  /// Extracts the header from a file encoded by libwebp; returns nil if the file lacks alpha.
  package init?(of file: Data) {
    var end = file.startIndex + Self.riffCount
    while end + 8 <= file.endIndex, !file[end...].starts(with: "VP8 ".utf8) {
      let count = (4..<8).reversed().reduce(0) { $0 << 8 | Int(file[end + $1]) }
      end += 8 + count + count & 1
    }
    guard end > file.startIndex + Self.riffCount, end <= file.endIndex else { return nil }
    chunks = Data(file[(file.startIndex + Self.riffCount)..<end])
  }

  package var count: Int { chunks.count }

  /// Returns a file with this alpha and the colours of an opaque file of the same size.
  package func joined(to colors: Data) -> Data {
    let body = colors.dropFirst(Self.riffCount)
    let count = 4 + chunks.count + body.count
    var file = Data(capacity: 8 + count)
    file.append(contentsOf: "RIFF".utf8)
    for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: count >> shift)) }
    file.append(contentsOf: "WEBP".utf8)
    file.append(chunks)
    file.append(body)
    return file
  }
}

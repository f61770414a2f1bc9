package import Foundation

/// The part of a file that says its size and its alpha; the colours stand behind it.
///
/// Pictures of a style have the same alpha, and to compress it is a quarter of the work: it is done
/// once and laid before the colours of all of them.
package struct WebPHead: Hashable, Sendable {
  /// The chunks `VP8X` and `ALPH`.
  private let chunks: Data

  private static let riffCount = 12

  /// Cuts it out of a file that libwebp has written; nil when the file has only colours.
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

  /// The file that has this alpha and the colours of a file without one, of the same size.
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

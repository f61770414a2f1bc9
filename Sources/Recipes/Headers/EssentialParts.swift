import Foundation

/// What is kept of a file, and the few bytes that must change for the rest to fit together.
struct EssentialParts {
  private enum Part {
    case kept(Range<Int>)
    case written([UInt8])
  }

  private var parts: [Part] = []
  private(set) var count = 0

  /// Keeps a stretch of the file.
  mutating func keep(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    count += range.count
    if case .kept(let last) = parts.last, last.upperBound == range.lowerBound {
      parts[parts.count - 1] = .kept(last.lowerBound..<range.upperBound)
    } else {
      parts.append(.kept(range))
    }
  }

  /// Puts bytes of our own here.
  mutating func write(_ bytes: [UInt8]) {
    count += bytes.count
    parts.append(.written(bytes))
  }

  /// Shares the storage when the whole file is kept.
  func cut(from file: Data) -> Data {
    if parts.count == 1, case .kept(0..<file.count) = parts[0] { return file }
    var result = Data(capacity: count)
    for part in parts {
      switch part {
      case .kept(let range):
        let start = file.startIndex + range.lowerBound
        result.append(file[start..<start + range.count])
      case .written(let bytes):
        result.append(contentsOf: bytes)
      }
    }
    return result
  }
}

import Files

/// The first words that a child wrote to stderr.
struct Complaints {
  private static let limit = 4_096

  private var bytes: [UInt8] = []
  private(set) var isOpen = true

  mutating func read(from descriptor: borrowing Descriptor, scratch: inout [UInt8]) {
    while isOpen {
      switch descriptor.read(into: &scratch) {
      case .bytes(let count):
        bytes.append(contentsOf: scratch[..<min(count, Self.limit - bytes.count)])
      case .nothing: return
      case .end, .failed: isOpen = false
      }
    }
  }

  /// On one line, without control characters.
  var text: String {
    let words = String(decoding: bytes, as: UTF8.self).unicodeScalars.split { scalar in
      scalar.properties.generalCategory == .control || scalar == " "
    }
    return words.map { String($0) }.joined(separator: " ")
  }
}

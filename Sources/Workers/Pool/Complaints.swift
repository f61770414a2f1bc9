import Files

/// The first words that a child wrote to stderr.
struct Complaints {
  private static let limit = 4_096

  private var bytes: [UInt8] = []
  private(set) var isOpen = true

  /// Reads once: who writes without end must not keep us beyond a deadline.
  mutating func read(from descriptor: borrowing Descriptor, scratch: inout [UInt8]) {
    guard isOpen else { return }
    switch descriptor.read(into: &scratch) {
    case .bytes(let count):
      bytes.append(contentsOf: scratch[..<min(count, Self.limit - bytes.count)])
    case .nothing: return
    case .end, .failed: isOpen = false
    }
  }

  /// On one line, without control characters.
  var text: String { String(decoding: bytes, as: UTF8.self).plain }
}

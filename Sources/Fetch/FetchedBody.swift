package import Foundation

/// What came, in memory.
package struct FetchedBody: Sendable {
  private let bytes: Data

  package init(_ bytes: Data) {
    self.bytes = bytes
  }

  package var count: Int { bytes.count }

  /// All of it; a large one is read from where it was put down.
  package func read() throws -> Data { bytes }
}

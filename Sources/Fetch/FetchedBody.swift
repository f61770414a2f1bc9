package import Foundation

/// What came: in memory, or, a large one, in a file without a name.
package struct FetchedBody: Sendable {
  private enum Place: Sendable {
    case memory(Data)
    case file(SpooledFile)
  }

  private let place: Place

  package init(_ bytes: Data) {
    place = .memory(bytes)
  }

  init(_ file: SpooledFile) {
    place = .file(file)
  }

  package var count: Int {
    switch place {
    case .memory(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// Whether it lies in a file, which is gone with the last who has this.
  package var isSpooled: Bool {
    switch place {
    case .memory: false
    case .file: true
    }
  }

  /// All of it; a large one is read from where it was put down.
  package func read() throws -> Data {
    switch place {
    case .memory(let bytes): bytes
    case .file(let file): try file.read()
    }
  }
}

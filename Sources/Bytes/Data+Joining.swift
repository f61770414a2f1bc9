package import Foundation

extension Data {
  /// Pieces in one; `joined` of the library would copy each byte on its own.
  package init(joining pieces: some Collection<Data>) {
    self.init(capacity: pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { append(piece) }
  }
}

package import Recipes
package import Store

/// What became of each piece that was asked for.
package struct PieceSet: Sendable {
  private var results: [Piece: Result<Asset, Rejection>] = [:]

  package init() {}

  /// Nil for what was never asked for.
  package subscript(piece: Piece) -> Result<Asset, Rejection>? {
    get { results[piece] }
    set { results[piece] = newValue }
  }

  /// Nil for what could not be made.
  package func asset(of piece: Piece) -> Asset? { try? results[piece]?.get() }

  /// Why pieces are missing, by the places that asked for them.
  package var failures: [(piece: Piece, rejection: Rejection)] {
    let failures = results.compactMap { piece, result in
      if case .failure(let rejection) = result { (piece: piece, rejection: rejection) } else { nil }
    }
    return failures.sorted {
      ($0.piece.path, $0.rejection.detail) < ($1.piece.path, $1.rejection.detail)
    }
  }

  /// Makes every piece unknown again whose bytes are lost.
  package mutating func forget(_ lost: Set<Digest>) {
    results = results.filter { _, result in
      guard case .success(let asset) = result else { return true }
      return !lost.contains(asset.digest)
    }
  }
}

import Fetch

extension ChildFetcher {
  func all(_ requests: [FetchRequest], receive: (Int, FetchAnswer) throws -> Void) throws {
    try all(requests, isCancelled: { false }, receive: receive)
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

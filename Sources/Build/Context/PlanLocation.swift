package import Bytes
package import Store

/// A plan, and where it lies.
package struct PlanLocation: Hashable, Sendable {
  package var digest: Digest
  package var store: SharedStore.Location

  package init(_ digest: Digest, in store: SharedStore.Location) {
    (self.digest, self.store) = (digest, store)
  }
}

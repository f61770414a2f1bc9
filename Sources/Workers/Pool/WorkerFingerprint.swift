/// What renders: equal fingerprints make equal bytes of equal requests.
package struct WorkerFingerprint: Hashable, Sendable {
  /// Our revision and the versions of the codecs.
  package var text: String
  /// The executable and the shared libraries that a warm worker has mapped, sorted.
  ///
  /// While none of them has changed, the text is still true, without asking a worker.
  package var files: [String]

  package init(text: String, files: [String]) {
    self.text = text
    self.files = files
  }
}

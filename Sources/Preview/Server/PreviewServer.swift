/// Serves a folder on loopback, and tells the pages that are open what has changed.
package final class PreviewServer: Sendable {
  /// Where people go: `http://127.0.0.1:8080/`.
  package let url: String

  /// Listens when this returns.
  package init(
    _ settings: PreviewSettings, site: ServedSite, live: LiveChannel
  ) throws(PreviewError) {
    url = ""
    throw .noFreePort
  }

  /// Ends every connection, and waits until nothing of it runs.
  package func stop() {}
}

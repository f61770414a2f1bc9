/// From whoever changes the folder to every page that is open.
package final class LiveChannel: Sendable {
  package init() {}

  /// Never waits for a page.
  package func send(_ event: LiveEvent) {}
}

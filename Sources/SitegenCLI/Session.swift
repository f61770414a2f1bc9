/// What a command works with: the streams, and the rest of the program.
package struct Session: Sendable {
  package var console: Console
  package var engine: Engine

  package init(console: Console, engine: Engine = .standard) {
    self.console = console
    self.engine = engine
  }
}

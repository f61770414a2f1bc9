import Diagnostics

/// Why reading stopped: the text is at fault, or whoever hands it over.
enum ReadFailure: Error {
  case document(Diagnostic)
  case source(any Error)

  /// Runs what can only fail for the text's sake.
  static func wrap<Value>(_ body: () throws(Diagnostic) -> Value) throws(ReadFailure) -> Value {
    do throws(Diagnostic) {
      return try body()
    } catch {
      throw .document(error)
    }
  }
}

/// Why reading stopped: the text is at fault, or whoever hands it over.
enum ReadFailure: Error {
  case document(DocumentError)
  case source(any Error)

  /// Runs what can only fail for the text's sake.
  static func wrap<Value>(_ body: () throws(DocumentError) -> Value) throws(ReadFailure) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw .document(error)
    }
  }
}

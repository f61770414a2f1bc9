package import Files

/// A failure of the machine; damage in the store is no error, since it only costs time.
package enum StoreError: Error, Hashable, Sendable {
  case file(FileError)
  /// The code is SQLite's.
  case database(code: Int32, message: String)

  package var explanation: String {
    switch self {
    case .file(let error): error.explanation
    case .database(_, let message): message
    }
  }
}

/// Calls into Files, and tells their errors as ours.
func file<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw .file(error)
  }
}

/// A system call that failed: what was tried, on which path, and the error number.
package struct FileError: Error, Hashable, Sendable {
  /// The verb a person would use: `open`, `read`, `rename`.
  package let operation: String
  package let path: String
  package let code: Int32

  package init(_ operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

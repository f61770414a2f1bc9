package struct FileLocation: Codable, Hashable, Sendable, Comparable {
  package var file: String
  package var position: Position?

  package init(file: String, position: Position? = nil) {
    self.file = file
    self.position = position == .wholeFile ? nil : position
  }

  package static func < (left: FileLocation, right: FileLocation) -> Bool {
    if left.file != right.file { return left.file.utf8.lexicographicallyPrecedes(right.file.utf8) }
    let origin = Position(line: 0, column: 0)
    return (left.position ?? origin) < (right.position ?? origin)
  }
}

extension FileLocation: CustomStringConvertible {
  package var description: String { position.map { "\(file):\($0)" } ?? file }
}

/// A value's location in a file, and its path in the document.
package struct Located: Hashable, Sendable {
  package var location: FileLocation
  package var path: String

  package init(_ location: FileLocation, path: String) {
    self.location = location
    self.path = path
  }
}

/// A one-based line and column; columns count Unicode scalars.
package struct Position: Codable, Hashable, Comparable, Sendable {
  private let storedLine: Int32
  private let storedColumn: Int32

  private enum CodingKeys: String, CodingKey {
    case storedLine = "line"
    case storedColumn = "column"
  }

  package var line: Int { Int(storedLine) }
  package var column: Int { Int(storedColumn) }

  package init(line: Int, column: Int) {
    storedLine = Int32(clamping: line)
    storedColumn = Int32(clamping: column)
  }

  package static let wholeFile = Position(line: 0, column: 0)

  package static func < (left: Position, right: Position) -> Bool {
    (left.storedLine, left.storedColumn) < (right.storedLine, right.storedColumn)
  }
}

extension Position: CustomStringConvertible {
  package var description: String { "\(line):\(column)" }
}

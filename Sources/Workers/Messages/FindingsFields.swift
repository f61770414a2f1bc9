import Bytes
import Imaging

extension ByteReader {
  /// Reads what can have been found out while a recipe was followed, and nothing else.
  mutating func readFindings(of recipe: Recipe) throws(Malformed) -> Findings {
    guard let findings = Findings(try readCounted()) else { throw Malformed() }
    let (frame, encoding) = (recipe.frame, recipe.encoding)
    let isLargest = frame.box == frame.base
    guard findings.placeholder == nil || isLargest,
      findings.focus == nil || (isLargest && frame.finder != nil),
      findings.quality == nil || (encoding.limit != nil && encoding.quality != nil)
    else { throw Malformed() }
    return findings
  }
}

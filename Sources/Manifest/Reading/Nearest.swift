/// The candidate that a person most likely meant, or nil if none is near.
///
/// The distance counts letters inserted, removed, replaced or swapped, and ignores case.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(word.lowercased().unicodeScalars.prefix(64))
  let allowed = max(1, letters.count / 3)
  var best: (word: String, distance: Int)?
  for candidate in candidates {
    let other = Array(candidate.lowercased().unicodeScalars)
    guard abs(other.count - letters.count) <= allowed else { continue }
    let distance = editDistance(letters, other)
    if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.word
}

/// "did you mean `x`?" or, if nothing is near, all that would be known.
package func suggestion(for word: String, among candidates: [String]) -> String? {
  if candidates.isEmpty { return nil }
  if let near = nearest(to: word, among: candidates) { return "did you mean `\(near)`?" }
  let shown = candidates.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
  let left = candidates.count - 20
  return "known are \(shown)" + (left > 0 ? " and \(left) more" : "")
}

private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
      var distance = min(replaced, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[right.count]
}

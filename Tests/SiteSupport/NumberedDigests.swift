extension String {
  /// The text with numbers for digests, so that a snapshot does not depend on encoder versions.
  package var withNumberedDigests: String {
    var numbers: [Substring: Int] = [:]
    return replacing(/(?:assets\/[0-9a-f]{2}\/)?([0-9a-f]{64})/) { match in
      let number = numbers[match.1] ?? numbers.count + 1
      numbers[match.1] = number
      return "(\(number))"
    }
  }
}

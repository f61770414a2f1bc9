/// The recoverable problems of a document; a limit keeps a hostile file from filling the memory.
struct ProblemLog {
  private(set) var problems: [DocumentError] = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ problem: DocumentError) {
    if problems.count < limit {
      problems.append(problem)
    } else if problems.count == limit {
      problems.append(
        DocumentError(
          .documentTooManyProblems, "there are more problems than the \(limit) shown",
          file: problem.file, at: problem.position, help: "mend those first"))
    }
  }

  /// Hands over what was found, and starts anew.
  mutating func take() -> [DocumentError] {
    defer { problems = [] }
    return problems
  }
}

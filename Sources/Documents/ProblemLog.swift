import Diagnostics

/// The recoverable problems of a document; a limit keeps a hostile file from filling the memory.
struct ProblemLog {
  private(set) var problems: [Diagnostic] = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ problem: Diagnostic) {
    if problems.count < limit {
      problems.append(problem)
    } else if problems.count == limit {
      problems.append(
        Diagnostic(
          .error, .documentTooManyProblems, "there are more problems than the \(limit) shown",
          at: problem.location, help: "mend those first"))
    }
  }

  /// Hands over what was found, and starts anew.
  mutating func take() -> [Diagnostic] {
    defer { problems = [] }
    return problems
  }
}

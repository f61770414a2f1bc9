import Files
import Foundation
import Recipes
import Testing
import Workers

extension WorkerPool {
  /// Returns the distinct files of a request for one image, repeated on eight threads.
  func files(drawing request: RenderRequest, times: Int) throws -> Set<Data> {
    let results = Locked<Set<Data>>([])
    let threads = (0..<8).map { thread in
      Background { () -> Int in
        var drawn = 0
        for _ in stride(from: thread, to: times, by: 8) {
          guard case .success(let outcomes) = self.result(of: request),
            case .success(let image)? = outcomes.first
          else { continue }
          _ = results.withLock { $0.insert(image.bytes) }
          drawn += 1
        }
        return drawn
      }
    }
    var drawn = 0
    for thread in threads { drawn += try thread.value() }
    #expect(drawn == times)
    return results.withLock { $0 }
  }
}

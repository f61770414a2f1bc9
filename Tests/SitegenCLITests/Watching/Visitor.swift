import FoundationNetworking
import TestSupport

/// A client of the preview.
struct Visitor {
  struct Answer {
    var status = 0
    var bytes = Data()
    var headers: [AnyHashable: Any] = [:]

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  let address: String
  private let session: URLSession

  /// Waits for the line with the preview's URL.
  init(_ program: RunningProgram) throws {
    struct Silent: Error { let err: String }
    var found: String?
    _ = eventually {
      found = program.said.split(separator: "\n").first { $0.hasPrefix("http:") }
        .flatMap { $0.split(separator: " ").first.map { String($0) } }
      return found != nil
    }
    guard let found else { throw Silent(err: program.complained) }
    address = found
    let settings = URLSessionConfiguration.ephemeral
    settings.timeoutIntervalForRequest = 30
    settings.urlCache = nil
    session = URLSession(configuration: settings)
  }

  /// Requests a path, and returns status 0 if the connection fails.
  func get(_ path: String) -> Answer {
    guard let url = URL(string: address + path) else { return Answer() }
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var answer = Answer()
    let task = session.dataTask(with: url) { bytes, response, _ in
      if let response = response as? HTTPURLResponse {
        unsafe answer = Answer(
          status: response.statusCode, bytes: bytes ?? Data(), headers: response.allHeaderFields)
      }
      done.signal()
    }
    task.resume()
    done.wait()
    return unsafe answer
  }
}

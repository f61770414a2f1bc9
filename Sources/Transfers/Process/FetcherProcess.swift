import Fetch
import Files
import Foundation
import Glibc

/// The role `network` of `sitegen-worker`: it has the network, and no files.
///
/// Commands come in on stdin, answers go out on stdout. It runs until stdin ends, which also
/// happens when the build dies.
package enum FetcherProcess {
  /// Serves one build, and returns the exit status.
  package static func run() -> Int32 {
    OwnProcess.useOneArena()
    let input = Descriptor(adopting: STDIN_FILENO)
    var frames = FetcherFrames<FetcherCommand>()
    var serving: (engine: FetchEngine, jail: Jail)?
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while case .bytes(let count) = input.read(into: &buffer) {
        frames.append(buffer[..<count])
        while let (command, _) = try frames.next() {
          if let serving {
            obey(command, serving.engine, serving.jail)
          } else if case .settings(let settings) = command {
            serving = try start(settings)
          }
        }
      }
    } catch {
      let words = (error as? SystemFailure)?.text ?? "\(error)"
      FileHandle.standardError.write(Data("sitegen fetcher: \(words)\n".utf8))
      return 2
    }
    // Not `exit`: the engine's thread may be at work, and nothing needs to be tidied up.
    _exit(0)
  }

  private static func start(_ settings: FetchSettings) throws -> (FetchEngine, Jail) {
    // All that the policy allows; a proxy may be anywhere.
    let ports = AddressPolicy.usualPorts + settings.reach.ports
    let jail = try closeIn(settings, ports: settings.proxy == .none ? ports : nil)
    return (FetchEngine(settings), jail)
  }

  /// Before anything has come from the network, and before there is another thread.
  static func closeIn(_ settings: FetchSettings, ports: [UInt16]?) throws -> Jail {
    // The stacks of 200 threads, each of which waits for a silent name server, take half of it.
    try OwnProcess.limit(addressSpace: 4 << 30)
    // On a kernel without Landlock too.
    try OwnProcess.forbidFiles()
    // Reads the configuration of OpenSSL.
    CurlMulti.start
    return try closeIn(reading: settings.certificates, ports: ports)
  }

  private static func obey(_ command: FetcherCommand, _ engine: FetchEngine, _ jail: Jail) {
    switch command {
    case .settings: break
    case .jail(let id): send(.jail(id, jail))
    case .begin(let id, let request):
      #if DEBUG
        if let failure = FetcherAttempts.failure(of: request.url) {
          return send(.failed(id, failure, FetchCost()))
        }
      #endif
      engine.begin(
        id, request,
        forward: { piece, isFirst in send(.piece(id, isFirst: isFirst), payload: piece) },
        tell: { answer in tell(answer, of: id) })
    case .cancel(let id): engine.cancel(id)
    }
  }

  private static func tell(_ answer: FetchAnswer, of id: Int) {
    switch answer.outcome {
    case .fetched(let rest, let fields):
      // It is in memory, so reading cannot fail.
      let bytes = (try? rest.read()) ?? Data()
      send(.fetched(id, fields, answer.cost, isFirst: bytes.count == rest.count), payload: bytes)
    case .notModified(let fields): send(.notModified(id, fields, answer.cost))
    case .failed(let failure): send(.failed(id, failure.told, answer.cost))
    }
  }

  static let output = Descriptor(adopting: STDOUT_FILENO)
  private static let sending = Guarded(())

  /// Waits while the build does not read: so long nothing more is received either.
  private static func send(_ event: FetcherEvent, payload: Data = Data()) {
    guard let bytes = FetcherFrame.bytes(event, payload: payload) else {
      let failure = FetchFailure(.badAnswer, "the answer is too long")
      switch event {
      case .fetched(let id, _, let cost, _), .notModified(let id, _, let cost):
        return send(.failed(id, failure, cost))
      // Their words are cut before.
      case .piece, .failed, .jail: return
      }
    }
    sending.withLock { _ in
      do throws(FileError) {
        try output.write(unsafe bytes.span.bytes, path: "stdout")
      } catch {
        // The build is gone.
        _exit(0)
      }
    }
  }
}

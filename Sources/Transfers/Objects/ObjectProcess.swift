import Bytes
import Fetch
import Files
import Foundation
import Glibc

/// The second role of `sitegen-fetcher`: objects of one origin, and nothing else.
///
/// It builds every address itself and follows nobody, so what it is given to prove who it is goes to
/// that origin alone. It runs until stdin ends, which also happens when the build dies.
package enum ObjectProcess {
  /// Serves one build, and returns the exit status.
  package static func run() -> Int32 {
    OwnProcess.useOneArena()
    let input = Descriptor(adopting: STDIN_FILENO)
    input.makeNonblocking()
    var frames = FetcherFrames<ObjectCommand>()
    var serving: (loop: ObjectLoop, jail: Jail)?
    var refusal = ""
    var pieces: [Int: Data] = [:]
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    do {
      while true {
        var isBusy = true
        switch input.read(into: &buffer) {
        case .bytes(let count): frames.append(buffer[..<count])
        case .nothing: isBusy = false
        // Nothing needs to be tidied up.
        case .end, .failed: _exit(0)
        }
        while let (command, payload) = try frames.next() {
          switch command {
          case .origin(let origin):
            do throws(FetchFailure) {
              serving = try start(origin)
            } catch {
              refusal = error.detail
            }
          case .piece(let id): pieces[id, default: Data()].append(contentsOf: payload)
          case .ask(let id, let request):
            let body = (pieces.removeValue(forKey: id) ?? Data()) + payload
            if let serving {
              serving.loop.begin(id, request, body)
            } else {
              send(.failed(id, refusal, isLasting: true), Data())
            }
          case .jail(let id):
            send(
              serving.map { .jail(id, $0.jail) } ?? .failed(id, refusal, isLasting: true), Data())
          }
        }
        if let loop = serving?.loop {
          loop.turn(orFor: input.number, isBusy: isBusy)
        } else if !isBusy {
          var polled = pollfd(fd: input.number, events: Int16(POLLIN), revents: 0)
          _ = unsafe poll(&polled, 1, -1)
        }
      }
    } catch {
      let words = "what the build says makes no sense"
      FileHandle.standardError.write(Data("sitegen fetcher: \(words)\n".utf8))
      return 2
    }
  }

  /// - Throws: What is wrong with the origin, or `notStarted` when the kernel refuses something.
  private static func start(_ origin: ObjectOrigin) throws(FetchFailure) -> (ObjectLoop, Jail) {
    let address = try WebAddress(origin.url)
    guard address.isSecure || !origin.tellsSecret || address.isThisMachine else {
      throw FetchFailure(.badAddress, "a token is only sent over https")
    }
    var settings = FetchSettings()
    settings.time = origin.time
    settings.slowTime = min(origin.time / 2, .seconds(20))
    settings.certificates = origin.certificates
    settings.userAgent = origin.userAgent
    let jail: Jail
    do {
      jail = try FetcherProcess.closeIn(settings, ports: [address.port])
    } catch {
      throw FetchFailure(.notStarted, "the process that asks the store: \(error)")
    }
    return (ObjectLoop(origin, at: address, settings, send: send), jail)
  }

  /// Waits while the build does not read: so long nothing more is received either.
  private static func send(_ event: ObjectEvent, _ payload: Data) {
    guard let bytes = FetcherFrame.bytes(event, payload: payload) else { _exit(2) }
    do throws(FileError) {
      try FetcherProcess.output.write(unsafe bytes.span.bytes, path: "stdout")
    } catch {
      // The build is gone.
      _exit(0)
    }
  }
}

extension ObjectOrigin {
  /// Whether somebody who listens could use what is sent; a signature serves once.
  fileprivate var tellsSecret: Bool {
    switch access {
    case .open: false
    case .bearer: true
    case .signed(_, _, let session, _): session != nil
    }
  }
}

extension WebAddress {
  fileprivate var isThisMachine: Bool {
    switch InternetAddress(host) {
    case .v4(let bits): bits >> 24 == 127
    case .v6(let high, let low): high == 0 && low == 1
    case nil: host == "localhost"
    }
  }
}

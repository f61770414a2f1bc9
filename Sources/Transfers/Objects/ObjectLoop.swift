import Bytes
import CCurl
import Fetch
import Files
import Foundation

/// Asks one origin for objects, and puts objects there: one thread, many connections.
final class ObjectLoop {
  /// Transfers at once.
  private static let width = 16
  /// The first pause before a retry, which doubles, and the longest.
  private static let (pause, longestPause) = (Duration.milliseconds(250), Duration.seconds(5))

  private let origin: ObjectOrigin
  private let settings: FetchSettings
  private let address: WebAddress
  private let multi: CurlMulti
  private let send: (ObjectEvent, Data) -> Void
  private var waiting: [ObjectTask] = []
  private var running: [Int: ObjectTransfer] = [:]
  /// Until then the origin wants to be left alone.
  private var rest = Duration.zero
  /// Whether a request has run out of its time, and none has had an answer since: then nobody waits
  /// for more than one attempt.
  private var isAway = false
  private let start = ContinuousClock.now

  private var now: Duration { ContinuousClock.now - start }

  init(
    _ origin: ObjectOrigin, at address: WebAddress, _ settings: FetchSettings,
    send: @escaping (ObjectEvent, Data) -> Void
  ) {
    self.origin = origin
    self.settings = settings
    self.address = address
    self.send = send
    multi = CurlMulti(settings)
  }

  func begin(_ id: Int, _ request: ObjectRequest, _ body: Data) {
    let now = now
    waiting.append(ObjectTask(id, request, body: body, due: now, deadline: now + origin.time))
  }

  /// Does what can be done, and waits until there is more to do, or to read from `descriptor`.
  func turn(orFor descriptor: Int32, isBusy: Bool) {
    startAll()
    multi.perform()
    var hasFinished = false
    while let (key, code) = multi.nextFinished() {
      hasFinished = true
      finish(key, code)
    }
    // libcurl does not count the wait for a connection of another transfer.
    let late = running.values.filter { $0.task.deadline <= now }
    for transfer in late { finish(transfer.easy.key, CURLE_OPERATION_TIMEDOUT) }
    if isBusy || hasFinished || !late.isEmpty { return }
    // With all connections in use the next one to end wakes us.
    let dues = running.count < Self.width ? waiting.map { max($0.due, rest) } : []
    let times = dues + running.values.map(\.task.deadline) + [now + .seconds(60)]
    multi.wait(max((times.min() ?? now) - now, .zero), orFor: descriptor)
  }

  private func startAll() {
    let now = now
    var later: [ObjectTask] = []
    for task in waiting {
      guard running.count < Self.width, task.due <= now, rest <= now else {
        later.append(task)
        continue
      }
      let transfer = ObjectTransfer(
        task, origin, settings, left: max(task.deadline - now, .zero))
      if multi.add(transfer.easy, address.text) {
        running[transfer.easy.key] = transfer
      } else {
        end(task, .failed(task.id, "this machine cannot start a request", isLasting: false))
      }
    }
    waiting = later
  }

  private func finish(_ key: Int, _ code: CURLcode) {
    guard let transfer = running.removeValue(forKey: key) else { return }
    multi.remove(transfer.easy)
    let task = transfer.task
    let result = transfer.result(code, origin, now: Int64(Date().timeIntervalSince1970))
    if case .retry = result {} else { isAway = false }
    switch result {
    case .done: end(task, .done(task.id), task.request.verb == .get ? transfer.bytes : Data())
    case .none: end(task, .none(task.id))
    case .spoilt where task.wasSpoilt: end(task, .none(task.id))
    case .spoilt:
      task.wasSpoilt = true
      retry(task, "its bytes are not those of their name", .zero)
    case .failed(let words): fail(task, words, isLasting: true)
    case .retry(let words, let after): retry(task, words, after)
    }
  }

  private func retry(_ task: ObjectTask, _ words: String, _ after: Duration?) {
    let now = now
    // Half of it at random, so that those who failed together do not come back together.
    let pause = min(
      Self.longestPause,
      BackOff.pause(before: task.retries, base: Self.pause, part: .random(in: 0.5...1)))
    if let after { rest = max(rest, now + min(after, origin.time)) }
    task.retries += 1
    task.due = now + max(pause, after ?? .zero)
    guard task.due < task.deadline, !isAway else {
      isAway = true
      let wish = after.map { ", and wants to be left alone for \(FetchMessages.time($0))" } ?? ""
      return fail(task, words + wish, isLasting: false)
    }
    waiting.append(task)
  }

  private func fail(_ task: ObjectTask, _ words: String, isLasting: Bool) {
    end(task, .failed(task.id, "\(address.name): \(words)", isLasting: isLasting))
  }

  /// Tells how a request ended, in as many pieces as the bytes take.
  private func end(_ task: ObjectTask, _ event: ObjectEvent, _ bytes: Data = Data()) {
    var rest = bytes[...]
    while rest.count > FetcherFrame.piece {
      send(.piece(task.id), rest.prefix(FetcherFrame.piece))
      rest = rest.dropFirst(FetcherFrame.piece)
    }
    send(event, rest)
  }
}

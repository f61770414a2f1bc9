import Bytes
import CCurl
import Fetch
import Foundation
import Glibc

/// Requests on an easy handle of libcurl, one attempt after the other.
///
/// Only the engine's thread uses it.
@safe
final class CurlTransfer {
  let easy: CurlEasy
  private let settings: FetchSettings
  private let policy: AddressPolicy
  private(set) var task: FetchTask?
  private var attempt: Attempt?
  /// The time limit of the attempt.
  private var time = Duration.zero
  private var began = Duration.zero

  init(_ settings: FetchSettings, _ policy: AddressPolicy) {
    easy = CurlEasy(settings)
    self.settings = settings
    self.policy = policy
    unsafe easy.setCalls(
      Calls.head, Calls.body, Calls.socket, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Names this transfer in `CurlMulti.nextFinished`.
  var key: Int { easy.key }

  var deadline: Duration { began + time }

  // MARK: - An attempt

  /// Prepares the next attempt of a task.
  func prepare(_ task: FetchTask, proxy: String?, now: Duration) {
    self.task = task
    time = task.left
    began = now
    let conditions = task.validators.lines
    attempt = Attempt(
      task.address, isProxied: proxy != nil, isRetry: task.isRetry,
      isConditional: !conditions.isEmpty, settings, forward: task.forward)
    easy.forgetError()
    easy.set(CURLOPT_URL, task.address.text)
    easy.set(CURLOPT_PROXY, proxy ?? "")
    easy.set(CURLOPT_TIMEOUT_MS, max(time.milliseconds, 1))
    easy.setLines(["Accept: image/*,*/*;q=0.5"] + conditions)
  }

  /// Ends the attempt, after it has left the multi handle.
  ///
  /// Returns the result, and how the name lookup went; nil if there was none.
  func finish(_ code: CURLcode, now: Int64) -> (AttemptResult, lookup: ResolverHealth.Answer?) {
    guard let task, let attempt = attempt.take() else { preconditionFailure("nothing began") }
    let connects = easy.long(CURLINFO_NUM_CONNECTS)
    task.spend(attempt, isReused: connects == 0 && attempt.status != 0)
    self.task = nil
    let isUnready = easy.time(CURLINFO_PRETRANSFER_TIME_T) <= 0
    let ended = CurlResult(
      code: code, text: easy.errorText,
      osError: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)),
      isConnecting: time >= settings.connectTime && isUnready,
      proxyStatus: easy.long(CURLINFO_HTTP_CONNECTCODE))
    let lookup = lookup(attempt, code, isUnready: isUnready)
    return (attempt.result(ended, settings, now: now), lookup)
  }

  private func lookup(
    _ attempt: borrowing Attempt, _ code: CURLcode, isUnready: Bool
  ) -> ResolverHealth.Answer? {
    if attempt.isProxied { return nil }
    if attempt.hasOpened || attempt.refused != nil { return .found }
    if code == CURLE_OPERATION_TIMEDOUT, isUnready { return .silence }
    guard code == CURLE_COULDNT_RESOLVE_HOST else { return nil }
    // libcurl has one code for "no such name" and "no answer"; only the former comes soon.
    let microseconds = easy.time(CURLINFO_TOTAL_TIME_T)
    return microseconds < 2_000_000 ? ResolverHealth.Answer.none : .silence
  }

  /// Drops an attempt that nobody waits for.
  func drop() {
    task = nil
    attempt = nil
  }

  // MARK: - What libcurl calls

  /// `object` is always the transfer that owns the handle.
  private enum Calls {
    static let head: curl_write_callback = { bytes, size, count, object in
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer(object).attempt?.takes(line: line) == true ? size * count : 0
    }

    static let body: curl_write_callback = { bytes, size, count, object in
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer(object).attempt?.takes(piece: piece) == true ? size * count : 0
    }

    static let socket: curl_opensocket_callback = { object, _, address in
      guard let address = unsafe address else { return -1 }
      let transfer = unsafe transfer(object)
      let to = unsafe withUnsafePointer(to: &address.pointee.addr) { start in
        unsafe InternetAddress(start, count: Int(address.pointee.addrlen))
      }
      guard transfer.attempt?.connects(to: to, transfer.policy) == true else { return -1 }
      return unsafe Glibc.socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
        address.pointee.protocol)
    }

    private static func transfer(_ object: UnsafeMutableRawPointer?) -> CurlTransfer {
      guard let object = unsafe object else { preconditionFailure("set with the callbacks") }
      return unsafe Unmanaged<CurlTransfer>.fromOpaque(object).takeUnretainedValue()
    }
  }
}

import Bytes
import CCurl
import Fetch
import Foundation

/// One request about an object, over all its attempts.
final class ObjectTask {
  let id: Int
  let request: ObjectRequest
  let body: Data
  let deadline: Duration
  var retries = 0
  /// When it may be tried next.
  var due: Duration
  /// Whether bytes have come that were not those of the name.
  var wasSpoilt = false

  init(_ id: Int, _ request: ObjectRequest, body: Data, due: Duration, deadline: Duration) {
    self.id = id
    self.request = request
    self.body = body
    self.due = due
    self.deadline = deadline
  }
}

/// One attempt, on a handle of its own; the connections are those of the multi handle.
///
/// Only the thread of the loop uses it.
@safe
final class ObjectTransfer {
  let easy: CurlEasy
  let task: ObjectTask
  private let limit: Int
  private let body: UnsafeMutableRawBufferPointer
  private(set) var status = 0
  private(set) var retryAfter: String?
  /// The object, or the beginning of what is said instead.
  private(set) var bytes = Data()
  private(set) var isTooLong = false

  /// Of an answer that is no object, and of all header lines.
  private static let unwanted = 64 << 10

  init(_ task: ObjectTask, _ origin: ObjectOrigin, _ settings: FetchSettings, left: Duration) {
    easy = CurlEasy(settings)
    self.task = task
    limit = origin.bytes
    unsafe body = .allocate(byteCount: task.body.count, alignment: 1)
    unsafe body.copyBytes(from: task.body)
    unsafe easy.setCalls(Calls.head, Calls.body, nil, Unmanaged.passUnretained(self).toOpaque())
    easy.set(CURLOPT_URL, "\(origin.url)/\(task.request.name)")
    easy.set(CURLOPT_PROXY, "")
    easy.set(CURLOPT_TIMEOUT_MS, max(left.milliseconds, 1))
    // No round trip is spent on waiting for `100 Continue`. A line that takes `Expect` out would be
    // signed by libcurl, though it is not sent.
    easy.set(CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
    var lines: [String] = []
    switch task.request.verb {
    case .get: break
    case .has: easy.set(CURLOPT_NOBODY, 1)
    case .put:
      unsafe easy.setBody(body)
      easy.set(CURLOPT_CUSTOMREQUEST, "PUT")
      lines.append("Content-Type: application/octet-stream")
    }
    switch origin.access {
    case .open: break
    case .bearer(let token): lines.append("Authorization: Bearer \(token)")
    case .signed(let key, let secret, let session, let region):
      easy.set(CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3")
      easy.set(CURLOPT_USERNAME, key)
      easy.set(CURLOPT_PASSWORD, secret)
      // Older versions of libcurl do not send it, and Amazon wants it.
      lines.append("x-amz-content-sha256: \(Digest(of: task.body).hex)")
      if let session { lines.append("x-amz-security-token: \(session)") }
    }
    easy.setLines(lines)
  }

  deinit {
    unsafe body.deallocate()
  }

  /// Whether the bytes are those that the name stands for, as far as that can be told from them.
  var isSound: Bool {
    guard task.request.verb == .get, task.request.name.hasPrefix("cas/") else { return true }
    return task.request.name == "cas/\(Digest(of: bytes).hex)"
  }

  private func take(line: String) {
    if line.hasPrefix("HTTP/") {
      let words = line.split(separator: " ")
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      // A promise of an answer is none.
      if (100..<200).contains(status) { status = 0 }
      retryAfter = nil
    } else if line.lowercased().hasPrefix("retry-after:") {
      retryAfter = line.dropFirst("retry-after:".count).trimmingCharacters(
        in: .whitespacesAndNewlines)
    }
  }

  private func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    isTooLong = bytes.count + piece.count > (status == 200 ? limit : Self.unwanted)
    if !isTooLong { unsafe bytes.append(contentsOf: piece) }
    return !isTooLong
  }

  /// `object` is always the transfer that owns the handle.
  private enum Calls {
    static let head: curl_write_callback = { bytes, size, count, object in
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      guard line.count <= ObjectTransfer.unwanted else { return 0 }
      unsafe transfer(object).take(line: String(decoding: line, as: UTF8.self))
      return size * count
    }

    static let body: curl_write_callback = { bytes, size, count, object in
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer(object).take(piece) ? size * count : 0
    }

    private static func transfer(_ object: UnsafeMutableRawPointer?) -> ObjectTransfer {
      guard let object = unsafe object else { preconditionFailure("set with the callbacks") }
      return unsafe Unmanaged<ObjectTransfer>.fromOpaque(object).takeUnretainedValue()
    }
  }
}

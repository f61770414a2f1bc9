import CCurl
import Fetch
import Foundation
import Glibc

/// What an attempt means for its request.
enum AttemptResult {
  case finished(FetchAnswer.Outcome)
  case redirect(to: WebAddress)
  /// It may work another time; `after` is what the server wants us to wait.
  case retry(FetchFailure, after: Duration?)
}

/// How libcurl ended an attempt.
struct CurlResult {
  var code: CURLcode
  /// What libcurl says about it.
  var text = ""
  /// The error of the last system call that failed.
  var osError: Int32 = 0
  /// Whether the time for connecting, the TLS handshake included, ran out.
  var isConnecting = false
  /// What a proxy answered to CONNECT.
  var proxyStatus = 0
}

extension Attempt {
  /// Decides what came of the attempt.
  ///
  /// `settings` has the limits that messages name; `now` is in seconds since 1970.
  consuming func result(_ ended: CurlResult, _ settings: FetchSettings, now: Int64) -> AttemptResult
  {
    if let noted { return .finished(.failed(noted)) }
    // The status counts even if the rest of an unwanted body was cut off.
    if isHeadComplete, status != 200 { return statusResult(now: now) }
    guard ended.code == CURLE_OK else { return failureResult(ended, settings) }
    // libcurl accepts a head that is cut off.
    guard isHeadComplete else { return retry(.connectionCut, "it ended before the answer did") }
    guard received > 0 else { return failed(.empty, "an answer without a body") }
    var fields = fields
    fields.host = address.authority
    return .finished(.fetched(body(), fields))
  }

  private func failure(_ reason: FetchReason, _ detail: String) -> FetchFailure {
    FetchFailure(reason, "\(address.name): \(detail)", status: status == 0 ? nil : status)
  }

  private func failed(_ reason: FetchReason, _ detail: String) -> AttemptResult {
    .finished(.failed(failure(reason, detail)))
  }

  private func retry(
    _ reason: FetchReason, _ detail: String, after: Duration? = nil
  ) -> AttemptResult {
    .retry(failure(reason, detail), after: after)
  }

  // MARK: - By status

  private borrowing func statusResult(now: Int64) -> AttemptResult {
    let detail = "it answered \(status)"
    return switch status {
    case 304 where isConditional: .finished(.notModified(fields))
    case 301, 302, 303, 307, 308: redirectResult()
    case 404, 410: failed(.notFound, detail)
    case 408, 429, 500..<600:
      retry(.serverFailed, detail, after: BackOff.wanted(fields["retry-after"], now: now))
    case 400..<500: failed(.httpRefused, detail)
    default: failed(.badAnswer, detail)
    }
  }

  private borrowing func redirectResult() -> AttemptResult {
    guard let location = locations.first, !location.isEmpty, Set(locations).count == 1 else {
      return failed(.redirectRefused, "it leads nowhere")
    }
    do throws(FetchFailure) {
      return .redirect(to: try address.leading(to: location))
    } catch {
      var failure = error
      failure.status = status
      return .finished(.failed(failure))
    }
  }

  // MARK: - By what became of the connection

  private borrowing func failureResult(
    _ ended: CurlResult, _ settings: FetchSettings
  ) -> AttemptResult {
    switch ended.code {
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: connectFailure(ended)
    case CURLE_OPERATION_TIMEDOUT: retry(.timeout, timeoutDetail(ended, settings))
    case CURLE_COULDNT_RESOLVE_HOST:
      failed(.hostNotFound, "there is no such name, or nobody who knows it")
    case CURLE_COULDNT_RESOLVE_PROXY: failed(.hostNotFound, "the proxy has no address")
    case CURLE_URL_MALFORMAT: failed(.badAddress, "it is no URL")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY,
      CURLE_BAD_CONTENT_ENCODING:
      failed(.badAnswer, "what it answered is no HTTP")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      failed(.tlsFailed, FetchMessages.certificate(ended.text))
    case CURLE_RECV_ERROR where ended.text.contains("chunk"):
      failed(.badAnswer, "its chunks are none")
    case CURLE_RECV_ERROR where ended.proxyStatus >= 300:
      failed(.connectionFailed, "the proxy answered \(ended.proxyStatus)")
    case CURLE_GOT_NOTHING: retry(.connectionCut, "it ended without an answer")
    default: retry(.connectionCut, "it ended before the answer did")
    }
  }

  private borrowing func connectFailure(_ ended: CurlResult) -> AttemptResult {
    if let refused, !hasOpened {
      return .finished(
        .failed(FetchFailure(.addressNotPublic, "\(address.host) leads to \(refused)")))
    }
    var detail = isProxied ? "the proxy is not there" : "nobody is there"
    if ended.osError != 0, let text = unsafe strerror(ended.osError) {
      // glibc keeps the text per thread, and it is copied at once.
      detail = unsafe String(cString: text).lowercased()
    }
    if refused != nil { detail += ", and another of its addresses is not public" }
    return retry(.connectionFailed, detail)
  }

  private borrowing func timeoutDetail(_ ended: CurlResult, _ settings: FetchSettings) -> String {
    if ended.text.contains("too slow") {
      let time = FetchMessages.time(settings.slowTime)
      return received == 0 && status == 0
        ? "nothing came for \(time)" : "less than \(settings.slowRate) bytes a second for \(time)"
    }
    return ended.isConnecting
      ? "no connection within \(FetchMessages.time(settings.connectTime))"
      : "not done within \(FetchMessages.time(settings.time))"
  }
}

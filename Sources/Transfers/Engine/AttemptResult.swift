import CCurl
import Fetch
import Foundation
import Glibc

enum AttemptResult {
  case finished(FetchReply.Outcome)
  case redirect(to: WebAddress)
  /// A failure after which a retry may succeed; `after` is the server's Retry-After.
  case retry(FetchFailure, after: Duration?)
}

extension Attempt {
  /// Returns the result of an attempt that was removed from the multi handle.
  func result(_ code: CURLcode, now: Int64) -> AttemptResult {
    if let noted { return .finished(.failed(noted)) }
    // Use the status even if an unneeded body was cut off.
    if isHeadComplete, status != 200 { return statusResult(now: now) }
    guard code == CURLE_OK else { return failureResult(code) }
    // Check this here, because libcurl accepts truncated headers.
    guard isHeadComplete else { return retry(.connectionCut, "it closed the connection too early") }
    guard received > 0 else { return failed(.empty, "the response has an empty body") }
    var fields = fields
    fields.host = address.authority
    return .finished(.fetched(fields))
  }

  /// Whether the attempt failed before the request was sent, including during the TLS handshake.
  private var isConnecting: Bool { microseconds(CURLINFO_PRETRANSFER_TIME_T) <= 0 }

  private func failed(_ reason: FetchReason, _ detail: String) -> AttemptResult {
    .finished(.failed(failure(reason, detail)))
  }

  private func retry(
    _ reason: FetchReason, _ detail: String, after: Duration? = nil
  ) -> AttemptResult {
    .retry(failure(reason, detail), after: after)
  }

  private func failure(_ reason: FetchReason, _ detail: String) -> FetchFailure {
    FetchFailure(reason, "\(address.name): \(detail)", status: status == 0 ? nil : status)
  }

  private func statusResult(now: Int64) -> AttemptResult {
    let detail = "it returned \(status)"
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

  private func redirectResult() -> AttemptResult {
    guard let location = locations.first, !location.isEmpty, Set(locations).count == 1 else {
      return failed(.redirectRefused, "its redirect has an invalid location")
    }
    do throws(FetchFailure) {
      return .redirect(to: try address.leading(to: location))
    } catch {
      return failed(error.reason, error.detail)
    }
  }

  private func failureResult(_ code: CURLcode) -> AttemptResult {
    switch code {
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: connectFailure()
    case CURLE_OPERATION_TIMEDOUT: retry(.timeout, timeoutDetail)
    case CURLE_COULDNT_RESOLVE_HOST:
      failed(.hostNotFound, "host not found")
    case CURLE_COULDNT_RESOLVE_PROXY:
      failed(.hostNotFound, "proxy host not found")
    case CURLE_URL_MALFORMAT: failed(.badAddress, "it is not a valid URL")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY,
      CURLE_BAD_CONTENT_ENCODING:
      failed(.badAnswer, "it did not send a valid HTTP response")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      failed(.tlsFailed, FetchMessages.certificate(errorText))
    case CURLE_RECV_ERROR where errorText.contains("chunk"):
      failed(.badAnswer, "its chunked encoding is invalid")
    case CURLE_RECV_ERROR where long(CURLINFO_HTTP_CONNECTCODE) >= 300:
      failed(.connectionFailed, "the proxy returned \(long(CURLINFO_HTTP_CONNECTCODE))")
    case CURLE_GOT_NOTHING: retry(.connectionCut, "it closed the connection without a response")
    default: retry(.connectionCut, "it closed the connection too early")
    }
  }

  private func connectFailure() -> AttemptResult {
    if let refused, !hasOpened {
      return .finished(
        .failed(FetchFailure(.addressNotPublic, "\(address.host) resolves to \(refused)")))
    }
    var detail = isProxied ? "the proxy is not responding" : "the connection failed"
    let code = Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO))
    if code > 0, let text = unsafe strerror(code) {
      detail = unsafe String(cString: text).lowercased()
    }
    if refused != nil { detail += ", and another address of the host is not public" }
    return retry(.connectionFailed, detail)
  }

  private var timeoutDetail: String {
    if errorText.contains("too slow") {
      let time = FetchMessages.time(settings.slowTime)
      return received == 0 && status == 0
        ? "no data received for \(time)" : "under \(settings.slowRate) bytes per second for \(time)"
    }
    return isConnecting && time >= settings.connectTime
      ? "no connection within \(FetchMessages.time(settings.connectTime))"
      : "not finished within \(FetchMessages.time(settings.time))"
  }
}

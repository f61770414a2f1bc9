import CCurl
import Foundation
import Glibc

/// What an attempt means.
enum AttemptResult {
  case ends(FetchAnswer.Outcome)
  case leads(to: WebAddress)
  /// It may be better another time.
  ///
  /// - Parameters:
  ///   - after: What the server wants to be waited.
  case mayRetry(FetchFailure, after: Duration?)
}

/// How libcurl ended an attempt.
struct CurlResult {
  var code: CURLcode
  /// What libcurl says of it.
  var text = ""
  /// Of the last system call that failed.
  var osError: Int32 = 0
  /// Whether it took too long to connect, secrets agreed on included.
  var isConnecting = false
  /// What a proxy answered to CONNECT.
  var proxyStatus = 0
}

extension Attempt {
  /// Judges what came.
  ///
  /// - Parameters:
  ///   - ended: How it ended.
  ///   - settings: The limits that words tell of.
  ///   - now: In seconds since 1970.
  /// - Returns: What it means.
  consuming func result(_ ended: CurlResult, _ settings: FetchSettings, now: Int64) -> AttemptResult {
    if let noted { return .ends(.failed(noted)) }
    // Whatever became of a body that nobody wants.
    if isHeadComplete, status != 200 { return judgeStatus(now: now) }
    guard ended.code == CURLE_OK else { return judge(ended, settings) }
    // libcurl is content with a head that is cut.
    guard isHeadComplete else {
      return .mayRetry(fails(.connectionCut, "it ended before the answer did"), after: nil)
    }
    guard received > 0 else {
      return .ends(.failed(fails(.empty, "an answer without a body")))
    }
    var fields = fields
    fields.host = address.authority
    return .ends(.fetched(body(), fields))
  }

  private func fails(_ reason: FetchReason, _ detail: String) -> FetchFailure {
    FetchFailure(reason, "\(address.name): \(detail)", status: status == 0 ? nil : status)
  }

  // MARK: - What the server said

  private borrowing func judgeStatus(now: Int64) -> AttemptResult {
    switch status {
    case 304 where isConditional: .ends(.notModified(fields))
    case 301, 302, 303, 307, 308: judgeRedirect()
    case 404, 410: .ends(.failed(fails(.notFound, "it answered \(status)")))
    case 408, 429, 500..<600:
      .mayRetry(
        fails(.serverFailed, "it answered \(status)"),
        after: BackOff.wanted(fields["retry-after"], now: now))
    case 400..<500: .ends(.failed(fails(.httpRefused, "it answered \(status)")))
    default: .ends(.failed(fails(.badAnswer, "it answered \(status)")))
    }
  }

  private borrowing func judgeRedirect() -> AttemptResult {
    guard let location = locations.first, !location.isEmpty, Set(locations).count == 1 else {
      return .ends(.failed(fails(.redirectRefused, "it leads nowhere")))
    }
    do throws(FetchFailure) {
      return .leads(to: try address.leading(to: location))
    } catch {
      var failure = error
      failure.status = status
      return .ends(.failed(failure))
    }
  }

  // MARK: - What became of the connection

  private borrowing func judge(_ ended: CurlResult, _ settings: FetchSettings) -> AttemptResult {
    switch ended.code {
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: judgeConnecting(ended)
    case CURLE_OPERATION_TIMEDOUT: judgeTime(ended, settings)
    case CURLE_COULDNT_RESOLVE_HOST:
      .ends(.failed(fails(.hostNotFound, "there is no such name, or nobody who knows it")))
    case CURLE_COULDNT_RESOLVE_PROXY:
      .ends(.failed(fails(.hostNotFound, "the proxy has no address")))
    case CURLE_URL_MALFORMAT: .ends(.failed(fails(.badAddress, "it is no URL")))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY,
      CURLE_BAD_CONTENT_ENCODING:
      .ends(.failed(fails(.badAnswer, "what it answered is no HTTP")))
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      .ends(.failed(fails(.tlsFailed, FetchMessages.certificate(ended.text))))
    case CURLE_RECV_ERROR where ended.text.contains("chunk"):
      .ends(.failed(fails(.badAnswer, "its chunks are none")))
    case CURLE_RECV_ERROR where ended.proxyStatus >= 300:
      .ends(
        .failed(fails(.connectionFailed, "the proxy answered \(ended.proxyStatus)")))
    case CURLE_GOT_NOTHING:
      .mayRetry(fails(.connectionCut, "it ended without an answer"), after: nil)
    default: .mayRetry(fails(.connectionCut, "it ended before the answer did"), after: nil)
    }
  }

  private borrowing func judgeConnecting(_ ended: CurlResult) -> AttemptResult {
    if let refused, !hasOpened {
      return .ends(.failed(FetchFailure(.addressNotPublic, "\(address.host) leads to \(refused)")))
    }
    var detail = "nobody is there"
    if isProxied { detail = "the proxy is not there" }
    if ended.osError != 0, let text = unsafe strerror(ended.osError) {
      // glibc keeps the text per thread, and it is copied at once.
      detail = unsafe String(cString: text).lowercased()
    }
    if refused != nil { detail += ", and another of its addresses is not public" }
    return .mayRetry(fails(.connectionFailed, detail), after: nil)
  }

  private borrowing func judgeTime(_ ended: CurlResult, _ settings: FetchSettings) -> AttemptResult {
    if ended.text.contains("too slow") {
      let time = FetchMessages.time(settings.slowTime)
      return .mayRetry(
        fails(
          .timeout,
          received == 0 && status == 0
            ? "nothing came for \(time)"
            : "less than \(settings.slowRate) bytes a second for \(time)"), after: nil)
    }
    if ended.isConnecting {
      return .mayRetry(
        fails(.timeout, "no connection within \(FetchMessages.time(settings.connectTime))"),
        after: nil)
    }
    return .mayRetry(
      fails(.timeout, "not done within \(FetchMessages.time(settings.time))"), after: nil)
  }
}

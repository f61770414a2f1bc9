import CCurl
import Fetch
import Foundation

/// What an attempt means for its request.
enum ObjectResult {
  case done
  case none
  /// Not the bytes of the name.
  case spoilt
  case failed(String)
  /// It may work another time.
  case retry(String, after: Duration? = nil)
}

extension ObjectTransfer {
  func result(_ code: CURLcode, _ origin: ObjectOrigin, now: Int64) -> ObjectResult {
    if isTooLong { return status == 200 ? .none : statusResult(origin, now: now) }
    // The status counts even if not all of a body was taken.
    if status != 0, status != 200 { return statusResult(origin, now: now) }
    guard code == CURLE_OK, status == 200 else { return failure(code) }
    return isSound ? .done : .spoilt
  }

  private func statusResult(_ origin: ObjectOrigin, now: Int64) -> ObjectResult {
    let isPut = task.request.verb == .put
    switch status {
    case 201 where isPut, 204 where isPut: return .done
    case 404 where refusal == "NoSuchBucket": return .failed("there is no such bucket")
    case 404, 410:
      return isPut ? .failed("it answered \(status): nothing can be put there") : .none
    // Amazon says so where a server says 408.
    case 400 where refusal == "RequestTimeout": return .retry("it answered 400 RequestTimeout")
    case 408, 429, 500..<600:
      return .retry("it answered \(status)", after: BackOff.wanted(retryAfter, now: now))
    case 413: return .failed("it answered 413: it takes no object of \(task.body.count) bytes")
    case 300..<400:
      return .failed(
        "it answered \(status): name the address to which it leads"
          + (origin.isOfAmazon ? ", or set AWS_REGION" : ""))
    case 400 where isAboutSession, 401, 403:
      return .failed("it answered \(status)\(refusal.map { " \($0)" } ?? ""): \(advice(origin))")
    default: return .failed("it answered \(status)\(refusal.map { " \($0)" } ?? "")")
    }
  }

  private func advice(_ origin: ObjectOrigin) -> String {
    switch (origin.access, task.request.verb) {
    case (.signed, _) where refusal == "RequestTimeTooSkewed": "set the clock of this machine"
    case (.signed, _) where isAboutSession: "set AWS_SESSION_TOKEN, and its key, anew"
    case (.signed, .put): "is this key right, and may it write?"
    case (.signed, _): "is this key right, and may it read?"
    case (.bearer, .put): "is this token right, and may it write?"
    case (.bearer, _): "is this token right, and may it read?"
    case (.open(wantsKey: true), _): "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    case (.open, _): "name a file with a token in SITEGEN_STORE_TOKEN_FILE"
    }
  }

  private var isAboutSession: Bool { refusal == "ExpiredToken" || refusal == "InvalidToken" }

  /// The code of an error of S3, if it is one that we know: nothing else of what is said is repeated.
  private var refusal: String? {
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    return [
      "NoSuchBucket", "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch",
      "RequestTimeout", "RequestTimeTooSkewed", "ExpiredToken", "InvalidToken",
      "AuthorizationHeaderMalformed",
    ].first { text.contains("<Code>\($0)</Code>") }
  }

  private func failure(_ code: CURLcode) -> ObjectResult {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return .retry("there is no such name, or nobody who knows it")
    case CURLE_COULDNT_CONNECT: return .retry("nobody is there")
    case CURLE_OPERATION_TIMEDOUT: return .retry("no answer in time")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      return .failed(FetchMessages.certificate(easy.errorText))
    case CURLE_SSL_CONNECT_ERROR: return .retry(FetchMessages.certificate(easy.errorText))
    default: return .retry("the connection ended before the answer did")
    }
  }
}

extension ObjectOrigin {
  fileprivate var isOfAmazon: Bool {
    switch access {
    case .signed, .open(wantsKey: true): true
    case .bearer, .open: false
    }
  }
}

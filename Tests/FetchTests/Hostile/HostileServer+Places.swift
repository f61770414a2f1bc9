import Fetch
import TestSupport

extension HostileServer {
  static let connections: [HostileServer] = [
    .greets(
      "accepts and says nothing", .fails(.timeout), connections: 1...3, isSlow: true, .hold),
    .slow("reads and says nothing", .hold),
    .slow("a byte of the head each second", .drip("HTTP/1.1 200 OK\r\nX: y\r\n\r\n", every: 1)),
    .slow(
      "a byte of the body each second", .head("HTTP/1.1 200 OK\nContent-Length: 16\n"),
      .drip(picture, every: 1)),
    .slow(
      "nothing more after nine tenths", .head("HTTP/1.1 200 OK\nContent-Length: 10000\n"),
      .send(String(repeating: "a", count: 9_000)), .hold),
    .slow("a head and no body", .head("HTTP/1.1 200 OK\nContent-Length: 16\n"), .hold),
    .slow("half a head", .send("HTTP/1.1 200 OK\r\nContent-Le"), .hold),
    .slow(
      "a hint every now and then",
      .drip(String(repeating: "HTTP/1.1 100 \r\n\r\n", count: 20), every: 0.1), .hold),
    .slow(
      "a chunk that says more and more of itself",
      .head("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n"), .send("1;"),
      .drip(String(repeating: "a", count: 1_000), every: 0.1)),
    .greets("closes at once", .fails(.connectionCut), connections: 3...3, .close),
    .greets(
      "breaks off at once", .fails([.connectionCut, .connectionFailed]), connections: 3...3,
      .reset),
    .steps("closes after the request", .fails(.connectionCut), requests: 3...3, .close),
    .steps("breaks off after the request", .fails(.connectionCut), requests: 3...3, .reset),
    .sends(
      "closes within the head", "HTTP/1.1 200 OK\r\nContent-Le", .fails(.connectionCut),
      requests: 3...3),
    .sends(
      "closes before the head's last line", "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n",
      .fails(.connectionCut), requests: 3...3),
    .steps(
      "breaks off within the body", .fails(.connectionCut), requests: 3...3,
      .head("HTTP/1.1 200 OK\nContent-Length: 16\n"), .send("all of"), .pause(0.05), .reset),
    .row("closes twice, then answers", .picture, requests: 3...3) { request in
      request.attempt < 3 ? [.close] : [.answer(text: picture)]
    },
    .greets(
      "answers before it is asked", .pictureOr([.badAnswer, .connectionCut]), connections: 1...3,
      .answer(text: picture), .close),
    .asked("http://127.0.0.1:{closed}/", .fails(.connectionFailed)),
  ]

  static let security: [HostileServer] = [
    .asked("https://127.0.0.1:{good}/picture", .picture),
    .asked("https://127.0.0.1:{expired}/picture", .fails(.tlsFailed)),
    .asked("https://127.0.0.1:{future}/picture", .fails(.tlsFailed)),
    .asked("https://127.0.0.1:{other}/picture", .fails(.tlsFailed)),
    .asked("https://127.0.0.1:{unknown}/picture", .fails(.tlsFailed)),
    .asked("https://127.0.0.1:{self}/picture", .fails(.tlsFailed)),
    // nginx responds with 400 to plain HTTP on a TLS port.
    .asked("http://127.0.0.1:{good}/picture", .fails(.httpRefused)),
    .greets(
      "no TLS where it should be", .fails(.tlsFailed), isSecure: true,
      .answer(400, text: "what?"), .close),
    .greets(
      "rubbish instead of TLS", .fails(.tlsFailed), isSecure: true,
      .send(String(repeating: "rubbish", count: 100)), .close),
    .greets(
      "a TLS alert at once", .fails(.tlsFailed), isSecure: true,
      .bytes([0x15, 3, 3, 0, 2, 2, 0x28]), .close),
    // The server selects TLS 1.1, which the client did not offer.
    .greets(
      "an old TLS", .fails(.tlsFailed), isSecure: true,
      .bytes(
        [0x16, 3, 2, 0, 42, 2, 0, 0, 38, 3, 2] + [UInt8](repeating: 7, count: 32)
          + [0, 0xC0, 0x13, 0]), .close),
    .greets(
      "closes within the handshake", .fails([.tlsFailed, .connectionCut]), connections: 1...3,
      isSecure: true, .close),
    .greets(
      "breaks off within the handshake", .fails([.tlsFailed, .connectionCut, .connectionFailed]),
      connections: 1...3, isSecure: true, .reset),
    .greets(
      "half a hello", .fails([.tlsFailed, .connectionCut]), connections: 1...3, isSecure: true,
      .bytes([0x16, 3, 3, 0, 0x7A, 2, 0, 0, 0x76]), .close),
    .greets(
      "a silent handshake", .fails(.timeout), connections: 1...3, isSecure: true, isSlow: true,
      .hold),
    .redirect("https://127.0.0.1:{good}/picture", .picture),
    .redirect("https://127.0.0.1:{expired}/picture", .fails(.tlsFailed)),
    .redirect("https://127.0.0.1:{good}/down?{own}", .fails(.redirectRefused)),
  ]

  static let redirects: [HostileServer] = [
    .redirect("/end", .picture, requests: 2...2, status: 301),
    .redirect("/end", .picture, requests: 2...2),
    .redirect("/end", .picture, requests: 2...2, status: 303),
    .redirect("/end", .picture, requests: 2...2, status: 307),
    .redirect("/end", .picture, requests: 2...2, status: 308),
    .redirect("end", .picture, requests: 2...2),
    .redirect("./deep/../end?a=b", .picture, requests: 2...2),
    .redirect("/end#part", .picture, requests: 2...2),
    .redirect("//127.0.0.1:{own}/end", .picture, requests: 2...2),
    .redirect("HTTP://127.0.0.1:{own}/end", .picture, requests: 2...2),
    .redirect("/start", .fails(.tooManyRedirects), requests: 6...6),
    .row("a circle of three", .fails(.tooManyRedirects), requests: 6...6) { request in
      let next = ["/start": "/a", "/a": "/b", "/b": "/start"][request.target] ?? "/"
      return [.answer(302, ["Location": next])]
    },
    .row("five redirects", .picture, requests: 6...6) { redirects($0, times: 5) },
    .row("six redirects", .fails(.tooManyRedirects), requests: 6...6) { redirects($0, times: 6) },
    .steps("nowhere", .fails(.redirectRefused), .answer(302, text: "somewhere")),
    .redirect("", .fails(.redirectRefused)),
    .redirect("file:///etc/passwd", .fails(.redirectRefused)),
    .redirect("data:image/png;base64,AAAA", .fails(.redirectRefused)),
    .redirect("ftp://127.0.0.1:{own}/end", .fails(.redirectRefused)),
    .redirect("gopher://127.0.0.1:{own}/end", .fails(.redirectRefused)),
    .redirect("dict://127.0.0.1:{own}/end", .fails(.redirectRefused)),
    .redirect("javascript:alert(1)", .fails(.redirectRefused)),
    .redirect("mailto:ada@example.org", .fails(.redirectRefused)),
    .redirect("http://", .fails(.redirectRefused)),
    .redirect("http://[::1", .fails(.redirectRefused)),
    .redirect("http://127.0.0.1:{forbidden}/end", .fails(.portNotAllowed)),
    .redirect("http://127.0.0.1:22/end", .fails(.portNotAllowed)),
    .redirect("http://127.0.0.1:25/end", .fails(.portNotAllowed)),
    .redirect("http://127.0.0.1:6379/end", .fails(.portNotAllowed)),
    .redirect(
      "http://127.0.0.1:0/end", .fails([.portNotAllowed, .badAddress, .redirectRefused])),
    .redirect("http://127.0.0.1:99999/end", .fails(.redirectRefused)),
    .redirect("http://user:secret@127.0.0.1:{own}/end", .fails(.redirectRefused)),
    .redirect("http://user@127.0.0.1:{own}/end", .fails(.redirectRefused)),
    .redirect("http://127.0.0.2:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://2130706434:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://0x7f.2:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://0177.0.0.02:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://127.2:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://[::ffff:127.0.0.2]:{canary}/end", .fails(.addressNotPublic)),
    .redirect("http://[::1]:{six}/end", .fails(.addressNotPublic)),
    .redirect("http://[::]:{six}/end", .fails(.addressNotPublic)),
    .redirect("http://169.254.169.254/latest/meta-data/", .fails(.addressNotPublic)),
    .redirect("http://10.0.0.1/end", .fails(.addressNotPublic)),
    .redirect("http://192.168.0.1/end", .fails(.addressNotPublic)),
    .redirect("http://100.64.0.1/end", .fails(.addressNotPublic)),
    .redirect("http://[fe80::1]/end", .fails(.addressNotPublic)),
    .redirect("http://[64:ff9b::7f00:1]/end", .fails(.addressNotPublic)),
    .redirect("/end%0d%0aX-Injected:%20yes", .fails(.notFound), requests: 2...2),
    .redirect(
      "/end?\rX-Injected: yes",
      .pictureOr([.notFound, .badAddress, .redirectRefused, .badAnswer]), requests: 1...2),
    .redirect("/end?" + String(repeating: "a", count: 8_000), .picture, requests: 2...2),
    .redirect("/end?" + String(repeating: "a", count: 64 << 10), .fails(.badAnswer)),
    .row("a redirect with a body that never ends", .picture, requests: 2...2) { request in
      request.target == "/end"
        ? [.answer(text: picture)]
        : [
          .head("HTTP/1.1 302 Found\nLocation: /end\n"),
          .forever(String(repeating: "rubbish", count: 1_000)),
        ]
    },
  ]

  private static func redirects(_ request: ScriptedServer.Request, times: Int) -> [Step] {
    let number = Int(request.target.dropFirst()) ?? 0
    return number == times
      ? [.answer(text: picture)] : [.answer(302, ["Location": "/\(number + 1)"])]
  }

  static let addresses: [HostileServer] = [
    .asked("", .fails(.badAddress)),
    .asked("picture.png", .fails(.badAddress)),
    .asked("http://", .fails(.badAddress)),
    .asked("//127.0.0.1:{own}/", .fails(.badAddress)),
    .asked("file:///etc/passwd", .fails(.badAddress)),
    .asked("ftp://127.0.0.1:{own}/", .fails(.badAddress)),
    .asked("gopher://127.0.0.1:{own}/", .fails(.badAddress)),
    .asked("data:image/png;base64,AAAA", .fails(.badAddress)),
    .asked("http://user:secret@127.0.0.1:{own}/", .fails(.badAddress)),
    .asked("http://user@127.0.0.1:{own}/", .fails(.badAddress)),
    .asked("http://127.0.0.1:{own}/\r\nX-Injected: yes", .fails(.badAddress)),
    .asked("http://127.0.0.1:{own}/\u{0}", .fails(.badAddress)),
    .asked("http://127.0.0.1:{forbidden}/", .fails(.portNotAllowed)),
    .asked("http://127.0.0.1:22/", .fails(.portNotAllowed)),
    .asked("http://127.0.0.1:99999/", .fails(.badAddress)),
    .asked("http://127.0.0.2:{canary}/", .fails(.addressNotPublic)),
    .asked("http://0/", .fails(.addressNotPublic)),
    .asked("http://127.0.0.1:{own}/#part", .picture, requests: 1...1),
  ]
}

extension NamespaceLab {
  /// Behind the module of the name server; runs where it is root and alone.
  static let program = #"""
    import base64, http.server, os, shutil, subprocess, threading, time
    plan = json.load(open(sys.argv[1]))
    PUBLIC = ["198.41.0.4", "2001:503:ba3e::2:30"]
    PRIVATE = ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "fd00::1"]
    picture, wrong = (base64.b64decode(plan[key]) for key in ("picture", "wrongPicture"))

    def run(*words):
        subprocess.run(words, check=True)

    def hide(path, text):
        # Another file in its place, for us alone.
        file = os.path.join(plan["work"], os.path.basename(path))
        with open(file, "w") as out: out.write(text)
        run("mount", "--bind", file, os.path.realpath(path))

    hide("/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    hide("/etc/nsswitch.conf", "hosts: files dns\n")
    run("ip", "link", "set", "lo", "up")
    for address in PUBLIC + PRIVATE:
        if address in ("127.0.0.1", "::1"): continue
        size = "/128" if ":" in address else "/32"
        run("ip", "address", "add", address + size, "dev", "lo", *["nodad"][:":" in address])

    def thread(body, *arguments):
        threading.Thread(target=body, args=arguments, daemon=True).start()

    def listener(address):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        wire = socket.socket(family, socket.SOCK_STREAM)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Else `::1` would be where 127.0.0.1 is, too.
        if family == socket.AF_INET6: wire.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        wire.bind((address, 80))
        wire.listen(512)
        return wire

    def answer(wire, status, headers, body=b""):
        head = [f"HTTP/1.1 {status} ", f"Content-Length: {len(body)}", "Connection: close", *headers]
        wire.sendall(("\r\n".join(head) + "\r\n\r\n").encode() + body)

    requests = []
    def serve(wire):
        # One request for each connection: the next one needs to know the address again.
        with wire:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = wire.recv(65536)
                if not piece: return
                head += piece
            lines = head.decode().split("\r\n")
            host = [line[6:].strip() for line in lines if line.lower().startswith("host: ")][0]
            place = host + lines[0].split(" ")[1]
            requests.append(place)
            there = plan["redirects"].get(place)
            if there: answer(wire, 302, ["Location: " + there])
            else: answer(wire, 200, ["Content-Type: image/png", "Cache-Control: no-cache"], picture)

    def accept(listening):
        while True: thread(serve, listening.accept()[0])

    canaries = {address: 0 for address in PRIVATE}
    def watch(address, listening):
        # Who comes here gets a picture, so that it would be noticed in two ways.
        while True:
            wire, _ = listening.accept()
            canaries[address] += 1
            try:
                answer(wire, 200, ["Content-Type: image/png"], wrong)
                wire.close()
            except OSError:
                pass

    names = Names(plan["names"])
    names.listen(53)
    thread(names.serve)
    for address in PUBLIC: thread(accept, listener(address))
    for address in PRIVATE: thread(watch, address, listener(address))

    programs = []
    for number, words in enumerate(plan["programs"]):
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=600)
        programs.append({"status": done.returncode, "said": done.stdout.decode(errors="replace")})
        folder = os.path.join(plan["work"], str(number))
        os.mkdir(folder)
        for path in plan["kept"]:
            if os.path.exists(path): shutil.copy(path, folder)

    # The witness: in each queue it comes behind all that came before it.
    for address in PRIVATE:
        with socket.create_connection((address, 80), timeout=60) as wire:
            while wire.recv(65536): pass
    result = {"programs": programs, "requests": requests, "questions": names.questions,
              "canaries": {address: count - 1 for address, count in canaries.items()},
              "areAwake": all(count > 0 for count in canaries.values())}
    print(json.dumps(result))

    """#
}

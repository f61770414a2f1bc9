"""A thread of browsers and other clients that connect to a preview and disconnect again."""

import asyncio
import collections
import hashlib
import posixpath
import random
import re
import threading

EVENTS = "/-/events"
# More pages than the preview accepts, so that some are always refused.
PAGES, OTHERS = 200, 24


class Clients(threading.Thread):
    """Counts responses by kind and status; `wrong` lists undocumented ones."""

    def __init__(self, port, seed):
        super().__init__(daemon=True)
        self.port, self.random = port, random.Random(seed)
        self.counts, self.wrong = collections.Counter(), collections.Counter()
        self.paths, self.open, self.most, self.isEnding = ["/"], 0, 0, False
        self.start()

    def run(self):
        asyncio.run(self.all())

    def end(self):
        self.isEnding = True
        self.join(60)
        if self.is_alive():
            self.wrong["the clients did not finish"] += 1

    async def all(self):
        tasks = [asyncio.create_task(self.forever(kind)) for kind in
                 [self.page] * PAGES + [self.other] * OTHERS]
        while not self.isEnding:
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def forever(self, kind):
        # In Python 3.11, `wait_for` can lose a cancellation.
        while not self.isEnding:
            await asyncio.sleep(self.random.expovariate(1 / (10 if kind == self.page else 0.2)))
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                await asyncio.wait_for(kind(reader, writer), 60)
            except asyncio.TimeoutError:
                self.wrong[f"{kind.__name__}: did not finish within a minute"] += 1
            except Exception as error:
                # The connection failed, or the response was missing, truncated or invalid.
                self.wrong[f"{kind.__name__}: {type(error).__name__}"] += 1
            finally:
                if not writer:
                    pass
                elif self.random.random() < 0.5:
                    writer.transport.abort()
                else:
                    writer.close()

    async def ask(self, reader, writer, path, method="GET", more=""):
        """Returns status, headers and body."""
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{more}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status = int(head.split(" ", 2)[1])
        headers = {name.lower(): value for name, value in re.findall(r"\r\n([^:\r]+): ([^\r]*)", head)}
        body = b""
        if method == "GET" and path != EVENTS and status != 304:
            body = await reader.readexactly(int(headers["content-length"]))
        return status, headers, body

    def expect(self, kind, status, *wanted):
        self.counts[f"{kind} {status}"] += 1
        if status not in wanted:
            self.wrong[f"{kind}: status {status}"] += 1

    async def page(self, reader, writer):
        """Opens a page, then waits for its events for a while."""
        status, _, _ = await self.ask(reader, writer, "/")
        self.expect("page", status, 200)
        status, _, _ = await self.ask(reader, writer, EVENTS)
        self.expect("events", status, 200, 503)
        if status != 200:
            return
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            await asyncio.wait_for(self.listen(reader), min(self.random.expovariate(1 / 15), 50))
        except asyncio.TimeoutError:
            pass
        finally:
            self.open -= 1

    async def listen(self, reader):
        while True:
            line = await reader.readline()
            if not line:
                raise ConnectionResetError
            if line.startswith(b"data:"):
                self.counts["events told"] += 1

    async def other(self, reader, writer):
        kind = self.random.choice(
            ["plain", "plain", "many", "head", "range", "kept", "missing", "left", "half"])
        path = self.random.choice(self.paths)
        if kind == "half":
            # The preview closes the connection, so that a silent client does not block others.
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.".encode()[:self.random.randrange(40)])
            await reader.read()
            self.counts["half ended"] += 1
        elif kind == "left":
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            await reader.read(self.random.randrange(1, 2000))
            self.counts["left"] += 1
        elif kind == "missing":
            status, _, _ = await self.ask(reader, writer, f"/assets/none-{self.random.random()}.png")
            self.expect(kind, status, 404)
        elif kind == "head":
            status, _, _ = await self.ask(reader, writer, path, "HEAD")
            self.expect(kind, status, 200, 404)
        elif kind == "range":
            start = self.random.randrange(4000)
            status, _, _ = await self.ask(
                reader, writer, path, more=f"Range: bytes={start}-{start + self.random.randrange(4000)}\r\n")
            self.expect(kind, status, 200, 404)
        else:
            for _ in range(5 if kind == "many" else 1):
                status, headers, body = await self.ask(reader, writer, path)
                self.expect(kind, status, 200, 404)
                name = posixpath.basename(path).split(".")[0]
                if status == 200 and len(name) == 64 and hashlib.sha256(body).hexdigest() != name:
                    self.wrong[f"{path} does not match the hash in its name"] += 1
                if kind == "kept" and "etag" in headers:
                    status, _, _ = await self.ask(
                        reader, writer, path, more=f"If-None-Match: {headers['etag']}\r\n")
                    self.expect(kind, status, 200, 304, 404)
                path = self.random.choice(self.paths)

"""Controls headless Chromium through its debugging pipe."""

import base64
import json
import os
import subprocess
import tempfile


class Chromium:
    """A browser with a separate profile; use it in a `with` statement."""

    def __init__(self, *arguments):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours, theirs = os.pipe(), os.pipe()
        self.number = 0
        self.unread = b""
        self.events = []
        # The browser reads commands from descriptor 3, and responds on descriptor 4.
        self.process = subprocess.Popen(
            [
                "/bin/sh", "-c", f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}', "sh", "chromium",
                "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
                "--force-color-profile=srgb", f"--user-data-dir={self.home.name}/profile",
                *arguments,
            ],
            pass_fds=(ours[0], theirs[1]), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self.output, self.input = ours[1], theirs[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.home.cleanup()

    def send(self, method, session=None, **parameters):
        """Returns the response to a command; other messages go to `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def receive(self):
        while b"\0" not in self.unread:
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise RuntimeError("the browser exited")
            self.unread += piece
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def page(self, width, height, dark=False, scale=1):
        """Opens a new tab of this size."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session, width, height, dark, scale)


class Page:
    def __init__(self, browser, session, width, height, dark, scale):
        self.browser, self.session = browser, session
        self.send("Page.enable")
        self.send("Network.enable")
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def wait(self, method):
        """Waits for the tab's next event of this kind."""
        while True:
            for number, event in enumerate(self.browser.events):
                if event.get("method") == method and event.get("sessionId") == self.session:
                    return self.browser.events.pop(number)["params"]
            self.browser.events.append(self.browser.receive())

    def open(self, address):
        self.send("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def value(self, expression):
        """Returns the value of an expression, after its promise has settled."""
        answer = self.send(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True,
            expression=f"(async () => ({expression}))()")
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settle(self):
        """Waits until every picture in view is shown and its placeholder is gone."""
        with open(os.path.join(os.path.dirname(__file__), "shown.js"), encoding="utf-8") as file:
            self.value(file.read())

    def wait_for(self, condition):
        """Checks an expression in each frame until it is true."""
        found = self.value(
            "new Promise(done => { const end = performance.now() + 20000;"
            f" const look = () => ({condition}) ? done(true) : performance.now() > end ? done(false)"
            " : requestAnimationFrame(look); look(); })")
        if not found:
            raise RuntimeError(f"not true within 20 seconds: {condition}")

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

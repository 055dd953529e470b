"""A headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

EXECUTABLE = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
PATIENCE = 60.0


class Page:
    """One tab: it remembers every request, every console error and every uncaught exception."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._last = 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """One command, and its answer."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        self._connection.send(json.dumps(message))
        while True:
            answer = json.loads(self._connection.recv(timeout=PATIENCE))
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        method, details = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(details["exceptionDetails"])[:500])
        elif method == "Log.entryAdded" and details["entry"]["level"] == "error":
            self.errors.append(details["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and details["type"] in {"error", "warning"}:
            self.errors.append(json.dumps(details["args"])[:500])

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, json.dumps(answer["exceptionDetails"])[:800]
        return answer["result"].get("value")

    def open(self, address: str) -> None:
        """Load a page and wait until it is complete."""
        self.send("Page.navigate", url=address)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.evaluate("document.readyState") == "complete" and self.evaluate(
                "location.protocol"
            ) in {"file:"}:
                return
            time.sleep(0.05)
        raise TimeoutError(address)

    def size(self, width: int, height: int) -> None:
        """The size of the window."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def scheme(self, name: str) -> None:
        """The colours that the system asks for: light or dark."""
        self.send(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}]
        )

    def press(self, key: str, code: int) -> None:
        """A key, down and up."""
        for kind in ("rawKeyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """A picture of the window, or of the whole page."""
        made = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(made["data"]))

    def pdf(self, path: Path) -> None:
        """The page on paper."""
        path.write_bytes(base64.b64decode(self.send("Page.printToPDF")["data"]))


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A fresh Chromium with one empty tab."""
    assert EXECUTABLE is not None, "chromium is missing: apt-get install chromium"
    environment = {**os.environ, "HOME": str(profile)}
    process = subprocess.Popen(
        [EXECUTABLE, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    try:
        with connect(_address(profile), max_size=2**27, compression=None) as connection:
            yield Page(connection)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(profile: Path) -> str:
    """Where the first tab listens."""
    port_file = profile / "DevToolsActivePort"
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            port = int(port_file.read_text(encoding="utf-8").splitlines()[0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                for target in json.load(answer):
                    if target["type"] == "page":
                        return str(target["webSocketDebuggerUrl"])
        except (OSError, ValueError, IndexError):
            pass
        time.sleep(0.1)
    raise TimeoutError("chromium did not start")

extension BrowserPage {
  /// A key that does not type a character.
  package enum Key {
    case tab, backTab, enter, escape, left, right

    fileprivate var event: Browser.Record {
      switch self {
      case .tab: ["key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9]
      case .backTab: ["key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": 8]
      case .enter: ["key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"]
      case .escape: ["key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27]
      case .left: ["key": "ArrowLeft", "code": "ArrowLeft", "windowsVirtualKeyCode": 37]
      case .right: ["key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39]
      }
    }
  }

  package func press(_ key: Key) throws { try press(key.event) }

  package func type(_ text: String) throws {
    for character in text {
      try press(["key": String(character), "text": String(character)])
    }
  }

  /// Presses Tab until a condition on `document.activeElement` is true.
  package func tab(to condition: String, atMost times: Int = 60) throws {
    for _ in 0..<times {
      try press(.tab)
      if try value(of: condition, as: Bool.self) { return }
    }
    throw Browser.Failure.late("Tab to \(condition)")
  }

  private func press(_ event: Browser.Record) throws {
    var event = event
    event["type"] = event["text"] == nil ? "rawKeyDown" : "keyDown"
    try send("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    try send("Input.dispatchKeyEvent", event)
    try waitForPaint()
  }
}

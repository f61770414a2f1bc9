/// axe-core, as `script/bootstrap test` installs it.
package enum Axe {
  /// The script as text; nil when it is not installed.
  package static var script: String? {
    let libraries = root.appending(path: ".test-tools/lib")
    let versions = try? FileManager.default.contentsOfDirectory(atPath: libraries.path)
    return versions?.lazy.compactMap { version in
      try? String(
        contentsOf: libraries.appending(
          path: "\(version)/site-packages/axe_playwright_python/axe.min.js"), encoding: .utf8)
    }.first
  }

  private static let root = Checkout.root
}

extension BrowserPage {
  /// What axe-core says against the page as it is now: the rule and where it is broken.
  ///
  /// Dark pages differ from light ones only in their colours, so only these are checked again.
  package func violations(_ axe: String, isDark: Bool = false) throws -> [String] {
    try run(axe)
    let rules = isDark ? ", runOnly: [\"color-contrast\"]" : ""
    return try value(
      of: """
        axe.run(document, { resultTypes: ["violations"]\(rules) }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) =>
            `${id} ${target} ${any.map(({ message }) => message).join()}`)))
        """)
  }
}

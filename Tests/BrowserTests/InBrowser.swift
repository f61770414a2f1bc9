import TestSupport
import Testing

/// What only a browser can tell.
///
/// One test at a time: each starts one.
@Suite(.serialized, .enabled(if: Browser.isInstalled, "script/bootstrap test installs Chromium"))
struct InBrowser {}

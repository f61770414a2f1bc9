import TestSupport

/// Tests that need a browser.
///
/// One test runs at a time, because each starts a browser.
@Suite(.serialized, .needs(.chromium))
struct InBrowser {}

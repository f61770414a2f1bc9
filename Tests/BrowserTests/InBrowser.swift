import TestSupport
import Testing

/// What only a browser can tell.
///
/// One test at a time: each starts one.
@Suite(.serialized, .needs(.chromium))
struct InBrowser {}

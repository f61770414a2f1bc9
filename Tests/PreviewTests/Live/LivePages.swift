import TestSupport

/// What pages that are open make of what they are told, in a real browser.
///
/// One test at a time: each starts one.
@Suite(.serialized, .needs(.chromium))
struct LivePages {}

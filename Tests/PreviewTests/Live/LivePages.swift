import TestSupport

/// How open pages react to updates, in a real browser.
///
/// The tests run one at a time, since each uses a browser.
@Suite(.serialized, .needs(.chromium))
struct LivePages {}

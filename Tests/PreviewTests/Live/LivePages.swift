import TestSupport

/// How open pages react to updates, in a real browser, one test at a time.
@Suite(.serialized, .needs(.chromium))
struct LivePages {}

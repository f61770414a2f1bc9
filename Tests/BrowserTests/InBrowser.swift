import TestSupport

/// Browser tests, which run one at a time.
@Suite(.serialized, .needs(.chromium))
struct InBrowser {}

import TestSupport

/// Tests in a browser, one at a time.
@Suite(.serialized, .needs(.chromium))
struct InBrowser {}

// Nearly every test needs it.
@_exported public import Foundation

// The modules that most tests of whole sites use.
@_exported public import Build
@_exported public import Bytes
@_exported public import Compare
@_exported public import Diagnostics
@_exported public import Documents
@_exported public import Fetch
@_exported public import Gallery
@_exported public import Imaging
@_exported public import Manifest
@_exported public import Plan
@_exported public import Recipes
@_exported public import Store
@_exported public import TestSupport

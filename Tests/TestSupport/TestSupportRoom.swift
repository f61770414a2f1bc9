/// Held by the tests.
package enum TestSupportRoom {}

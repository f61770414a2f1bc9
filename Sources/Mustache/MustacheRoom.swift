/// Mustache: a room that is still being furnished.
package enum MustacheRoom {}

/// Magick: a room that is still being furnished.
package enum MagickRoom {}

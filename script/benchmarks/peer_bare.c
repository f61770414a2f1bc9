// The bare codecs: the cost of these pictures with only libjpeg-turbo, libpng, libwebp and a
// resampler. The input is not checked, so this is a lower bound, not a tool.
//
//   peer_bare SOURCES TARGET JOBS [libpng|libdeflate]
//
// Processes share a counter that selects the next file. Lanczos with three lobes runs in two passes in 16-bit
// fixed point, both along rows in memory; weights are cached for each pair of lengths.
#include <dirent.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <jpeglib.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <zlib.h>

enum { POINTS = 64, SCALES = 3, BORDER = 2, LARGEST = POINTS * SCALES, SHARP = 2 };
typedef struct { int width, height; uint8_t *rgb; } Picture;
typedef struct { uint8_t *bytes; size_t count; } File;
// The fastest settings whose files are about as large as sitegen's. Time and PNG size for 1,200 pictures:
// libpng takes 4.4 s for 34.1 MB at level 1 with Z_RLE, 5.6 s for 33.6 MB at level 4, and 8.9 s for 33.0 MB at
// level 6; libdeflate takes 3.6 s for 34.6 MB at level 1, 4.3 s for 34.2 MB at 4, and 4.9 s for 33.6 MB at 6.
enum { LEVEL = 1, STRATEGY = Z_RLE, DEFLATE_LEVEL = 1, WEBP_METHOD = 2 };

static int uses_libdeflate;
static const char *current;

static void fail(const char *what) {
  fprintf(stderr, "peer_bare: %s: %s\n", current, what);
  exit(1);
}

// Decoding
static void jpeg_fail(j_common_ptr info) {
  char words[JMSG_LENGTH_MAX];
  info->err->format_message(info, words);
  fail(words);
}

// Reduces by 2, 4 or 8 while decoding, as long as the short side is at least SHARP times the largest size.
static Picture read_jpeg(File file) {
  struct jpeg_error_mgr errors;
  struct jpeg_decompress_struct info = {.err = jpeg_std_error(&errors)};
  errors.error_exit = jpeg_fail;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, file.bytes, file.count);
  jpeg_read_header(&info, TRUE);
  int is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
  int side = info.image_width < info.image_height ? info.image_width : info.image_height;
  info.scale_num = 1;
  for (info.scale_denom = 8; info.scale_denom > 1; info.scale_denom /= 2)
    if (side / (int)info.scale_denom >= LARGEST * SHARP) break;
  jpeg_start_decompress(&info);
  Picture picture = {info.output_width, info.output_height, 0};
  size_t row = (size_t)picture.width * info.output_components;
  picture.rgb = malloc(row * picture.height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW rows[8];
    for (int index = 0; index < 8; index++)
      rows[index] = picture.rgb + row * (info.output_scanline + index);
    jpeg_read_scanlines(&info, rows, 8);
  }
  for (size_t at = 0; is_cmyk && at < (size_t)picture.width * picture.height; at++) {
    uint8_t *from = picture.rgb + at * 4, black = from[3];
    for (int index = 0; index < 3; index++) picture.rgb[at * 3 + index] = from[index] * black / 255;
  }
  jpeg_destroy_decompress(&info);
  return picture;
}

static Picture read_png(File file) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, file.bytes, file.count)) fail(image.message);
  image.format = PNG_FORMAT_RGB;
  Picture picture = {image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
  png_color ground = {0};
  if (!png_image_finish_read(&image, &ground, picture.rgb, 0, 0)) fail(image.message);
  return picture;
}

static Picture read_webp(File file) {
  Picture picture;
  picture.rgb = WebPDecodeRGB(file.bytes, file.count, &picture.width, &picture.height);
  if (!picture.rgb) fail("libwebp cannot decode it");
  return picture;
}

// Scaling
// The source pixels and weights for each pixel along one side. The scaled section may start at half
// a pixel, to keep it centred.
typedef struct { int length, side, target, taps, *starts; int16_t *weights; } Weights;

static double lanczos(double x) {
  double turn = x * M_PI;
  return x == 0 ? 1 : fabs(x) >= 3 ? 0 : 3 * sin(turn) * sin(turn / 3) / (turn * turn);
}

static const Weights *weights(int length, int side, int target) {
  static Weights kept[4096];
  Weights *w = &kept[(length * 31 + side * 3 + target / POINTS) % 4096];
  if (w->length == length && w->side == side && w->target == target) return w;
  free(w->starts), free(w->weights);
  double step = (double)side / target, wide = step > 1 ? step : 1;
  int taps = (int)ceil(wide * 6) + 1;
  if (taps > length) taps = length;
  *w = (Weights){length, side, target, taps, malloc(target * sizeof(int)),
                 malloc(target * taps * 2)};
  double row[taps];
  for (int to = 0; to < target; to++) {
    double middle = (length - side) / 2.0 + (to + 0.5) * step, sum = 0;
    int start = (int)floor(middle - wide * 3), most = 0, left = 1 << 14;
    start = start < 0 ? 0 : start > length - taps ? length - taps : start;
    w->starts[to] = start;
    for (int tap = 0; tap < taps; tap++)
      sum += row[tap] = lanczos((start + tap + 0.5 - middle) / wide);
    for (int tap = 0; tap < taps; tap++) {
      left -= w->weights[to * taps + tap] = (int16_t)lrint(row[tap] / sum * (1 << 14));
      if (row[tap] > row[most]) most = tap;
    }
    w->weights[to * taps + most] += left;
  }
  return w;
}

// One line of a pass: a weighted sum of lines with `width` values each.
#define PASS(NAME, FROM, SHIFT)                                                                    \
  static void NAME(const FROM *restrict from, size_t stride, const int16_t *restrict weights,      \
                   int taps, int32_t *restrict sums, int16_t *restrict to, int width) {            \
    for (int x = 0; x < width; x++) sums[x] = 1 << (SHIFT - 1);                                    \
    int tap = 0;                                                                                   \
    for (; tap + 3 < taps; tap += 4) {                                                             \
      const FROM *restrict a = from + tap * stride, *restrict b = a + stride;                      \
      const FROM *restrict c = b + stride, *restrict d = c + stride;                               \
      int32_t p = weights[tap], q = weights[tap + 1], r = weights[tap + 2], s = weights[tap + 3];  \
      for (int x = 0; x < width; x++) sums[x] += a[x] * p + b[x] * q + c[x] * r + d[x] * s;        \
    }                                                                                              \
    for (; tap < taps; tap++)                                                                      \
      for (int x = 0; x < width; x++) sums[x] += from[tap * stride + x] * weights[tap];            \
    for (int x = 0; x < width; x++) to[x] = (int16_t)(sums[x] >> SHIFT);                           \
  }
PASS(pass_rows, uint8_t, 8)     // six bits more than a byte
PASS(pass_columns, int16_t, 14)

// Scales the centre square of a picture to RGBA without alpha.
static void scale(Picture picture, int size, uint8_t *rgba) {
  static int16_t *turned, *line;
  static int32_t *sums;
  static int room;
  int side = picture.width < picture.height ? picture.width : picture.height;
  const Weights *rows = weights(picture.height, side, size);
  const Weights *columns = weights(picture.width, side, size);
  int first = columns->starts[0], count = columns->starts[size - 1] + columns->taps - first;
  size_t stride = (size_t)picture.width * 3;
  int wide = count > size ? count : size;
  if (room < wide) {
    room = wide;
    turned = realloc(turned, (size_t)room * LARGEST * 6);
    line = realloc(line, room * 6), sums = realloc(sums, room * 12);
  }
  for (int y = 0; y < size; y++) {
    pass_rows(picture.rgb + rows->starts[y] * stride + first * 3, stride,
              rows->weights + y * rows->taps, rows->taps, sums, line, count * 3);
    for (int at = 0; at < count * 3; at++) turned[(size_t)at * size + y] = line[at];
  }
  for (int x = 0; x < size; x++) {
    pass_columns(turned + (size_t)(columns->starts[x] - first) * size * 3, size * 3,
                 columns->weights + x * columns->taps, columns->taps, sums, line, size * 3);
    for (int y = 0; y < size; y++)
      for (int index = 0; index < 3; index++) {
        int value = (line[index * size + y] + 32) >> 6;
        rgba[(y * size + x) * 4 + index] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
  }
}

// The circle and its white ring
static uint8_t covers[SCALES + 1][2][LARGEST * LARGEST];

static void draw_masks(void) {
  for (int scale = 1; scale <= SCALES; scale++)
    for (int inner = 0; inner < 2; inner++) {
      int size = POINTS * scale, fine = 16;
      double radius = size / 2.0 - inner * BORDER * scale;
      for (int at = 0; at < size * size; at++) {
        int inside = 0;
        for (int part = 0; part < fine * fine; part++) {
          double x = at % size + (part % fine + 0.5) / fine - size / 2.0;
          double y = at / size + (part / fine + 0.5) / fine - size / 2.0;
          inside += x * x + y * y < radius * radius;
        }
        covers[scale][inner][at] = inside * 255 / (fine * fine);
      }
    }
}

static void clip(uint8_t *rgba, int scale) {
  int count = POINTS * scale * POINTS * scale;
  const uint8_t *outer = covers[scale][0], *inner = covers[scale][1];
  for (int at = 0; at < count; at++, rgba += 4) {
    for (int index = 0; index < 3; index++)
      rgba[index] = outer[at] ? (rgba[index] * inner[at] + 255 * (255 - inner[at]) + 127) / 255 : 0;
    rgba[3] = outer[at];
  }
}

// Encoding
static void save(const char *path, const void *bytes, size_t count) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || write(file, bytes, count) != (ssize_t)count || close(file)) fail(path);
}

static uint8_t packed[LARGEST * LARGEST * 5];
static size_t packed_count;

static void png_take(__attribute__((unused)) png_structp png, png_bytep bytes, size_t count) {
  memcpy(packed + packed_count, bytes, count);
  packed_count += count;
}

static void write_libpng(const char *path, const uint8_t *rgba, int size) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, 0, 0, 0);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, 0, png_take, 0);
  png_set_IHDR(png, info, size, size, 8, PNG_COLOR_TYPE_RGBA, 0, 0, 0);
  png_set_compression_level(png, LEVEL), png_set_compression_strategy(png, STRATEGY);
  png_set_filter(png, 0, PNG_ALL_FILTERS);
  packed_count = 0, png_write_info(png, info);
  for (int y = 0; y < size; y++) png_write_row(png, rgba + y * size * 4);
  png_write_end(png, 0), png_destroy_write_struct(&png, &info);
  save(path, packed, packed_count);
}

static uint8_t *chunk(uint8_t *at, const char *name, size_t count) {
  uint32_t length = __builtin_bswap32(count);
  memcpy(at, &length, 4), memcpy(at + 4, name, 4);
  uint32_t sum = __builtin_bswap32(libdeflate_crc32(0, at + 4, count + 4));
  memcpy(at + 8 + count, &sum, 4);
  return at + 12 + count;
}

// Chooses the filter with the smallest sum of absolute values for each row.
static void write_libdeflate(const char *path, const uint8_t *rgba, int size) {
  static struct libdeflate_compressor *compressor;
  static uint8_t zeros[LARGEST * 4], tries[5][LARGEST * 4], filtered[LARGEST * (LARGEST * 4 + 1)];
  if (!compressor) compressor = libdeflate_alloc_compressor(DEFLATE_LEVEL);
  int width = size * 4;
  for (int y = 0; y < size; y++) {
    uint8_t row[LARGEST * 4 + 4] = {0};
    memcpy(row + 4, rgba + y * width, width);
    const uint8_t *a = row, *b = y ? rgba + (y - 1) * width : zeros, *x = row + 4;
    uint8_t above[LARGEST * 4 + 4] = {0};
    memcpy(above + 4, b, width);
    int sums[5] = {0}, best = 0;
    for (int i = 0; i < width; i++) {
      int left = a[i], up = above[i + 4], corner = above[i];
      int p = abs(up - corner), q = abs(left - corner), r = abs(left + up - 2 * corner);
      tries[0][i] = x[i], tries[1][i] = x[i] - left, tries[2][i] = x[i] - up;
      tries[3][i] = x[i] - (left + up) / 2;
      tries[4][i] = x[i] - (p <= q && p <= r ? left : q <= r ? up : corner);
    }
    for (int kind = 0; kind < 5; kind++) {
      for (int i = 0; i < width; i++) sums[kind] += abs((int8_t)tries[kind][i]);
      if (sums[kind] < sums[best]) best = kind;
    }
    filtered[y * (width + 1)] = best;
    memcpy(filtered + y * (width + 1) + 1, tries[best], width);
  }
  uint8_t header[13] = {0, 0, 0, size, 0, 0, 0, size, 8, 6}, *at = packed + 8;
  memcpy(packed, "\x89PNG\r\n\x1a\n", 8), memcpy(at + 8, header, 13);
  at = chunk(at, "IHDR", 13);
  size_t count = libdeflate_zlib_compress(compressor, filtered, size * (width + 1), at + 8,
                                          sizeof packed - 100);
  at = chunk(chunk(at, "IDAT", count), "IEND", 0);
  save(path, packed, at - packed);
}

static void write_webp(const char *path, const uint8_t *rgba, int size) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 80);
  config.method = WEBP_METHOD;
  config.alpha_filtering = 0;
  WebPPictureInit(&picture), WebPMemoryWriterInit(&writer);
  picture.width = picture.height = size;
  picture.writer = WebPMemoryWrite, picture.custom_ptr = &writer;
  if (!WebPPictureImportRGBA(&picture, rgba, size * 4) || !WebPEncode(&config, &picture))
    fail("libwebp cannot encode it");
  save(path, writer.mem, writer.size);
  WebPPictureFree(&picture), WebPMemoryWriterClear(&writer);
}

// Files
static void work(const char *source, const char *target) {
  static uint8_t rgba[LARGEST * LARGEST * 4];
  char path[4200];
  int handle = open(source, O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (handle < 0 || fstat(handle, &about)) fail("cannot be opened");
  File file = {malloc(about.st_size), about.st_size};
  if (read(handle, file.bytes, file.count) != about.st_size) fail("cannot be read");
  close(handle);
  Picture picture = file.bytes[0] == 0xFF ? read_jpeg(file)
      : file.bytes[0] == 0x89 ? read_png(file) : read_webp(file);
  for (int times = 1; times <= SCALES; times++) {
    int size = POINTS * times;
    scale(picture, size, rgba);
    clip(rgba, times);
    snprintf(path, sizeof path, "%s@%dx.png", target, times);
    (uses_libdeflate ? write_libdeflate : write_libpng)(path, rgba, size);
    snprintf(path, sizeof path, "%s@%dx.webp", target, times);
    write_webp(path, rgba, size);
  }
  free(picture.rgb), free(file.bytes);
}

int main(int count, char **words) {
  if (count < 4) return 2;
  uses_libdeflate = count > 4 && !strcmp(words[4], "libdeflate");
  struct dirent **names;
  int files = scandir(words[1], &names, 0, alphasort);
  int *next = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  draw_masks();
  for (int job = 0; job < atoi(words[3]); job++)
    if (!fork()) {
      int index;
      while ((index = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < files) {
        if (names[index]->d_name[0] == '.') continue;
        char source[4096], target[4096];
        snprintf(source, sizeof source, "%s/%s", words[1], current = names[index]->d_name);
        snprintf(target, sizeof target, "%s/%s", words[2], names[index]->d_name);
        work(source, target);
      }
      exit(0);
    }
  int status, result = 0;
  while (wait(&status) > 0) result |= status != 0;
  return result;
}

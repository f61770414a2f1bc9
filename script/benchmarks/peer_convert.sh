#!/bin/sh
# The ImageMagick way: one convert per source through xargs -P, all six files from one command.
# Usage: peer_convert.sh SOURCES TARGET JOBS
export MAGICK_THREAD_LIMIT=1
cd "$1" && ls | xargs -P "$3" -I{} convert -define jpeg:size=384x384 {} -auto-orient \
  -resize 192x192^ -gravity center -crop 192x192+0+0 +repage -alpha set \
  \( -size 192x192 xc:none -fill white -draw 'circle 95.5,95.5 95.5,0' \) \
  -compose DstIn -composite -compose Over \
  -fill none -stroke white -strokewidth 6 -draw 'circle 95.5,95.5 95.5,3' -strip \
  -write "$2/{}@3x.png" -quality 80 -write "$2/{}@3x.webp" +define quality \
  -resize 128x128 -write "$2/{}@2x.png" -quality 80 -write "$2/{}@2x.webp" \
  -resize 64x64 -write "$2/{}@1x.png" -quality 80 "$2/{}@1x.webp"

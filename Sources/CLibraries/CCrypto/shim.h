#pragma once
// OpenSSL recommends EVP, but EVP loads providers and reads a configuration file when it starts.
// These functions are linked statically, so sitegen starts without relocating all of libcrypto.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

# SPDX-License-Identifier: Apache-2.0
# Writes OUT, a C file in which the bytes of the file IN are an array called NAME (LoupeEmbed.cmake).
file(READ ${IN} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR count "${digits} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include <stddef.h>
extern const unsigned char ${NAME}[];
extern const size_t ${NAME}_bytes;
const unsigned char ${NAME}[] = {
${bytes}};
const size_t ${NAME}_bytes = ${count};
")

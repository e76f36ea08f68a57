# SPDX-License-Identifier: Apache-2.0
# loupe_embed(target name file): makes the bytes of a file part of a target, as
#   extern const unsigned char name[];
#   extern const size_t name_bytes;
function(loupe_embed target name file)
  cmake_path(ABSOLUTE_PATH file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
// The assembler reads the bytes, as C's compiler takes a hundred times as long to.
__asm__(".pushsection .rodata\n"
        ".global @name@, @name@_bytes\n"
        ".type @name@, %object\n"
        ".type @name@_bytes, %object\n"
        ".balign 16\n"
        "@name@: .incbin \"@file@\"\n"
        ".L@name@_end:\n"
        ".size @name@, .L@name@_end - @name@\n"
        ".balign 8\n"
        "@name@_bytes: .quad .L@name@_end - @name@\n"
        ".size @name@_bytes, 8\n"
        ".popsection\n");
]])
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${out})
endfunction()

# loupe_embed_page(target folder): makes the files of a folder and its folders part of a target, compressed with gzip, as
# the table page_files of src/collector/page/page.h.
function(loupe_embed_page target folder)
  file(GLOB_RECURSE files RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*)
  set(declarations "")
  set(rows "")
  foreach(file ${files})
    string(MAKE_C_IDENTIFIER page_${file} name)
    set(gzip ${CMAKE_CURRENT_BINARY_DIR}/${name}.gz)
    add_custom_command(OUTPUT ${gzip}
      COMMAND gzip -9nc ${folder}/${file} > ${gzip} DEPENDS ${folder}/${file} VERBATIM)
    loupe_embed(${target} ${name} ${gzip})
    string(APPEND declarations
      "extern const unsigned char ${name}[];\nextern const size_t ${name}_bytes;\n")
    string(APPEND rows "    {\"/${file}\", ${name}, &${name}_bytes},\n")
  endforeach()
  file(CONFIGURE OUTPUT page_files.c @ONLY CONTENT "#include \"collector/page/page.h\"
@declarations@
const page_file page_files[] = {
@rows@};
const size_t page_files_count = sizeof(page_files) / sizeof(page_files[0]);
")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_files.c)
endfunction()

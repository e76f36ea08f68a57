# SPDX-License-Identifier: Apache-2.0
# loupe_proto(target file.proto): a static library of protobuf-c's generated code.
find_program(PROTOC_C protoc-c REQUIRED)
find_package(PkgConfig REQUIRED)
# Static, so that nothing of the agent's can clash with what the application loads.
find_library(PROTOBUF_C_STATIC_LIBRARY libprotobuf-c.a REQUIRED)

function(loupe_proto target proto)
  get_filename_component(base ${proto} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${base}.pb-c)
  add_custom_command(OUTPUT ${out}.c ${out}.h
    COMMAND ${PROTOC_C} --c_out=${CMAKE_CURRENT_BINARY_DIR} -I${CMAKE_CURRENT_SOURCE_DIR}
            ${CMAKE_CURRENT_SOURCE_DIR}/${proto}
    DEPENDS ${proto} VERBATIM)
  add_library(${target} STATIC ${out}.c ${out}.h)
  target_include_directories(${target} SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${target} PUBLIC ${PROTOBUF_C_STATIC_LIBRARY})
endfunction()

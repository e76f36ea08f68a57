# SPDX-License-Identifier: Apache-2.0
# loupe_test(name source... [RUN_BY program] LINK library...): a cmocka program, run by ctest under the label "unit", as the
# argument of another program if one is named, which may end with 77 where it cannot run it. Where
# LOUPE_SINGLE_THREADED is set there is nothing for ThreadSanitizer: its build leaves them out.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
set(unit_limit_s 300)
if(CMAKE_CROSSCOMPILING)
  set(unit_limit_s 3000) # an emulator is slow
endif()

function(loupe_test name)
  cmake_parse_arguments(arg "" "RUN_BY" "LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LINK} loupe_warnings PkgConfig::CMOCKA)
  if(LOUPE_SANITIZE STREQUAL "thread")
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:loupe_tsan>)
    if(LOUPE_SINGLE_THREADED)
      set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
      return()
    endif()
  endif()
  set(command ${name}) # by its name, for an emulator
  if(arg_RUN_BY)
    set(command ${arg_RUN_BY} $<TARGET_FILE:${name}>)
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${unit_limit_s} SKIP_RETURN_CODE 77
    ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp)
endfunction()

# loupe_fuzz(name source... LINK library...): a libFuzzer target where LOUPE_FUZZ is on, and elsewhere
# a program that replays tests/fuzz/corpus/name; either way ctest runs it over that corpus.
function(loupe_fuzz name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LINK} loupe_warnings)
  if(LOUPE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${name} -runs=0 ${corpus})
  else()
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_replay.c)
    add_test(NAME ${name} COMMAND ${name} ${corpus})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${unit_limit_s})
endfunction()

# SPDX-License-Identifier: Apache-2.0
# loupe_test(name source... [STATIC] [RUN_BY word...] [WRAP function...] LINK library...): a cmocka program, run by ctest under
# the label "unit", behind the words of another command if there are some, which may end with 77 where it cannot run it.
#
# The program finds the libraries that it links in a shared one of all code under test (loupe_test_code) but with STATIC or
# WRAP: it has functions of its own in the place of theirs. What they call by the names after WRAP is its __wrap_function.
# Threads of the code under test lower their priority only with STATIC.
#
# For every change each program runs in one build:
#
#   release   if LOUPE_OPTIMISED is set: programs that compute much
#   asan      if LOUPE_SINGLE_THREADED is set, or LOUPE_IN_ASAN names it: it reads damaged or hostile bytes, or memory runs out
#   tsan      otherwise: it has threads
#
# With --all it runs in the others as well, without threads not in tsan. These compile it for the target loupe_all_tests only.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
set(unit_limit_s 300)
if(CMAKE_CROSSCOMPILING)
  set(unit_limit_s 3000) # an emulator is slow
endif()

# ${spent} NAME stands before the command of a test and writes down the CPU time that it took.
add_executable(loupe_spent ${CMAKE_CURRENT_LIST_DIR}/../tests/support/spent.c)
target_link_libraries(loupe_spent PRIVATE loupe_warnings)
set(spent $<TARGET_FILE:loupe_spent>)

# For tests in Python: what many of them import is compiled once, into the build.
set(python_cache PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=${CMAKE_BINARY_DIR}/pycache)

# What AddressSanitizer looks for in all tests but unit programs, where each takes a sixth less time without: uses of a frame whose function
# has returned. `scripts/test --all` looks for them there, too (CMakePresets.json has the options of unit programs).
set(asan_environment "")
if(LOUPE_SANITIZE MATCHES "address")
  set(asan_environment ASAN_OPTIONS=strict_string_checks=1:quarantine_size_mb=16:detect_stack_use_after_return=1)
endif()

set(is_release OFF)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT LOUPE_MUSL AND NOT CMAKE_CROSSCOMPILING)
  set(is_release ON)
endif()
add_custom_target(loupe_all_tests)

# loupe_test_code(name library...): links a program with the libraries under test. With LOUPE_SHARED_CODE the shared one of them
# all (tests/support) goes first: as the linker finds everything in there, it takes nothing from the static ones.
function(loupe_test_code name)
  if(LOUPE_SHARED_CODE)
    if("loupe_agent" IN_LIST ARGN)
      target_link_libraries(${name} PRIVATE loupe_agent_code)
    else()
      target_link_libraries(${name} PRIVATE loupe_code)
    endif()
  endif()
  target_link_libraries(${name} PRIVATE ${ARGN})
endfunction()

# loupe_test_place(name out_labels): leaves the program out of the build where only --all runs it, and adds that label.
function(loupe_test_place name out_labels)
  set(labels ${${out_labels}})
  set(place tsan)
  if(LOUPE_OPTIMISED)
    set(place release)
  elseif(LOUPE_SINGLE_THREADED OR name IN_LIST LOUPE_IN_ASAN)
    set(place asan)
  endif()
  if((is_release AND NOT place STREQUAL "release") OR (LOUPE_SANITIZE STREQUAL "thread" AND NOT place STREQUAL "tsan")
      OR (LOUPE_SANITIZE MATCHES "address" AND NOT place STREQUAL "asan"))
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(loupe_all_tests ${name})
    list(APPEND labels all)
  endif()
  set(${out_labels} "${labels}" PARENT_SCOPE)
endfunction()

# loupe_test_part(name source... LINK library...): what several programs have, compiled once. It is $<TARGET_OBJECTS:name> among
# their sources.
function(loupe_test_part name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LINK} loupe_warnings PkgConfig::CMOCKA)
endfunction()

function(loupe_test name)
  cmake_parse_arguments(arg "STATIC" "" "RUN_BY;WRAP;LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  if(LOUPE_SANITIZE MATCHES "address") # the program's own files run once: they compile in half of the time like this
    target_compile_options(${name} PRIVATE -O0 -fno-sanitize=undefined)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # calls in the place of checks in line
      target_compile_options(${name} PRIVATE --param asan-instrumentation-with-call-threshold=0)
    endif()
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  if(arg_WRAP) # threads keep their priority, as in the shared library
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/same_priority.c)
    list(APPEND arg_WRAP setpriority)
  endif()
  foreach(function ${arg_WRAP})
    target_link_options(${name} PRIVATE -Wl,--wrap=${function})
  endforeach()
  if(arg_STATIC OR arg_WRAP)
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden)
    target_link_libraries(${name} PRIVATE ${arg_LINK})
  else()
    loupe_test_code(${name} ${arg_LINK})
  endif()
  target_link_libraries(${name} PRIVATE loupe_warnings PkgConfig::CMOCKA)
  add_dependencies(${name} loupe_spent)
  if(LOUPE_SANITIZE STREQUAL "thread")
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:loupe_tsan>)
    if(LOUPE_SINGLE_THREADED)
      set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
      return()
    endif()
  endif()
  set(labels unit)
  loupe_test_place(${name} labels)
  set(command ${spent} ${name} ${arg_RUN_BY} $<TARGET_FILE:${name}>)
  if(CMAKE_CROSSCOMPILING)
    set(command ${name}) # by its name, for an emulator
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${unit_limit_s} SKIP_RETURN_CODE 77
    ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp)
endfunction()

# loupe_test_large(name): runs a test with the argument "all", by which it takes more steps, as NAME_all with --all alone.
function(loupe_test_large name)
  if(TEST ${name})
    add_test(NAME ${name}_all COMMAND ${spent} ${name}_all $<TARGET_FILE:${name}> all)
    set_tests_properties(${name}_all PROPERTIES LABELS all TIMEOUT 900
      ENVIRONMENT LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp)
  endif()
endfunction()

# loupe_fuzz(name source... [STATIC] LINK library...): a libFuzzer target where LOUPE_FUZZ is on, and elsewhere
# a program that replays tests/fuzz/corpus/name; either way ctest runs it over that corpus.
function(loupe_fuzz name)
  cmake_parse_arguments(arg "STATIC" "" "LINK" ${ARGN})
  set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  if(arg_STATIC OR LOUPE_FUZZ)
    target_link_libraries(${name} PRIVATE ${arg_LINK})
  else()
    loupe_test_code(${name} ${arg_LINK})
  endif()
  target_link_libraries(${name} PRIVATE loupe_warnings)
  set(labels unit)
  set(LOUPE_SINGLE_THREADED ON) # AddressSanitizer looks at them
  loupe_test_place(${name} labels)
  if(LOUPE_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${name} -runs=0 ${corpus})
  else()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:fuzz_replay>)
    add_test(NAME ${name} COMMAND ${spent} ${name} $<TARGET_FILE:${name}> ${corpus})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${unit_limit_s} ENVIRONMENT "${asan_environment}")
endfunction()

# SPDX-License-Identifier: Apache-2.0
# loupe_room(name KNOWS name... [LINK library...] SOURCES file...): one room of a part of src/, in a folder of its own. It
# includes and calls what it KNOWS: parts of src/, rooms of its own part, and rooms of other parts as part/room.
# tests/tree/check_layers.py reads it there.
function(loupe_room name)
  cmake_parse_arguments(arg "" "" "KNOWS;LINK;SOURCES" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH house_path)
  cmake_path(GET house_path FILENAME house)
  set(room loupe_${house}_${name})
  add_library(${room} STATIC ${arg_SOURCES})
  foreach(known ${arg_KNOWS})
    if(EXISTS ${house_path}/${known})
      set(known ${house}/${known})
    endif()
    string(REPLACE "/" "_" target loupe_${known})
    if(NOT TARGET ${target}) # a room of a room
      string(REGEX REPLACE ".*/([^/]+)/([^/]+)$" "loupe_\\1_\\2" target ${known})
    endif()
    if(NOT TARGET ${target}) # a folder of a part that is one library
      string(REGEX REPLACE "/.*" "" target loupe_${known})
    endif()
    target_link_libraries(${room} PUBLIC ${target})
  endforeach()
  target_link_libraries(${room} PRIVATE ${arg_LINK} loupe_warnings)
endfunction()

# loupe_rooms(name...): adds these folders, each of which may know those before it. LOUPE_<PART>_ROOMS is all of them, for who
# links a part whole.
function(loupe_rooms)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME house)
  foreach(room ${ARGN})
    add_subdirectory(${room})
  endforeach()
  string(TOUPPER ${house} upper)
  list(TRANSFORM ARGN PREPEND loupe_${house}_)
  set(LOUPE_${upper}_ROOMS ${ARGN} PARENT_SCOPE)
endfunction()

# The project's own CMake wrappers. Everything of MLIR and LLVM is reached
# through the two shared libraries; a static MLIR archive beside libMLIR.so
# would give a process two copies of every TypeID.

# Compiler cache and sanitizers; before any target exists.
macro(cma_configure_toolchain)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
  endif()
  # libMLIR is built without assertions, and the layout of some of its classes
  # depends on NDEBUG: every build type of ours must agree with it.
  add_compile_definitions(NDEBUG)
  if(CMA_USE_CCACHE)
    find_program(CMA_CCACHE ccache)
    if(CMA_CCACHE)
      set(CMAKE_CXX_COMPILER_LAUNCHER "${CMA_CCACHE}")
      # Without these ccache does not cache what uses a precompiled header or a
      # header that was just generated. Settings of the user's own win.
      if(NOT DEFINED ENV{CCACHE_SLOPPINESS})
        list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
          "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime")
      endif()
      set(CMAKE_C_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
    endif()
  endif()
  if(CMA_SANITIZE)
    add_compile_options(-fsanitize=${CMA_SANITIZE} -fno-omit-frame-pointer
                        -fno-sanitize-recover=all)
    # libMLIR and libLLVM carry no type information for vptr checks.
    if(CMA_SANITIZE MATCHES "undefined")
      add_compile_options(-fno-sanitize=vptr)
    endif()
    add_link_options(-fsanitize=${CMA_SANITIZE})
  endif()
endmacro()

# Finds MLIR 22 and LLVM 22 and sets the include paths and flags.
macro(cma_find_mlir)
  if(NOT MLIR_DIR)
    set(MLIR_DIR "/usr/lib/llvm-22/lib/cmake/mlir")
  endif()
  find_package(MLIR 22.1 REQUIRED CONFIG)
  message(STATUS "CMA: MLIR ${MLIR_VERSION} in ${MLIR_DIR}")
  # Debian ships lit, but not where LLVMConfig looks for it.
  if(NOT LLVM_EXTERNAL_LIT)
    set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE STRING "lit to run the suites with")
  endif()
  set(MLIR_BINARY_DIR "${PROJECT_BINARY_DIR}") # add_mlir_doc writes below it
  list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  include(HandleLLVMOptions)
  include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  include_directories("${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
endmacro()

# One precompiled header for every target that uses MLIR: parsing MLIR's headers
# is most of a compilation.
function(cma_declare_pch)
  if(NOT CMA_USE_PCH)
    return()
  endif()
  file(WRITE "${PROJECT_BINARY_DIR}/pch/empty.cpp.tmp" "// Compiled only to own the precompiled header.\n")
  configure_file("${PROJECT_BINARY_DIR}/pch/empty.cpp.tmp" "${PROJECT_BINARY_DIR}/pch/empty.cpp" COPYONLY)
  add_library(CMAPch OBJECT "${PROJECT_BINARY_DIR}/pch/empty.cpp")
  llvm_update_compile_flags(CMAPch)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Reproducible header, so that ccache can key on its contents.
    target_compile_options(CMAPch PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(CMAPch PRIVATE "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")
endfunction()

function(cma_use_pch name)
  if(TARGET CMAPch)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    target_precompile_headers(${name} REUSE_FROM CMAPch)
  endif()
endfunction()

# What a program needs to run under AddressSanitizer beside libMLIR, which is not
# instrumented.
function(cma_use_sanitizer_options name)
  if(CMA_SANITIZE MATCHES "address")
    target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp")
  endif()
endfunction()

# cma_add_library(<name> sources... [DEPENDS targets...] [LINK libs...])
# A static library that uses MLIR; installed and exported as CMA::<name>.
function(cma_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # LLVM is named too: without it a consumer's link misses libLLVM's symbols.
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  llvm_update_compile_flags(${name})
  cma_use_pch(${name})
  set_property(GLOBAL APPEND PROPERTY CMA_EXPORTED_TARGETS ${name})
endfunction()

# cma_add_plain_library(<name> sources... [LINK libs...])
# A static library that may not use MLIR or LLVM (Runtime, Analysis).
function(cma_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_options(${name} PRIVATE -Wall -Wextra -fPIC -fexceptions)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY CMA_EXPORTED_TARGETS ${name})
endfunction()

# cma_add_tool(<name> sources... [NO_INSTALL] [LINK libs...])
function(cma_add_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  cma_use_sanitizer_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  llvm_update_compile_flags(${name})
  cma_use_pch(${name})
  if(NOT ARG_NO_INSTALL)
    # MLIR's library is not where the loader looks.
    set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# cma_add_unittest(<name> sources... [PLAIN] [LINK libs...])
# A GoogleTest program, registered with ctest as unit/<name>.
function(cma_add_unittest name)
  cmake_parse_arguments(ARG "PLAIN" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  cma_use_sanitizer_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(NOT ARG_PLAIN)
    target_link_libraries(${name} PRIVATE MLIR LLVM)
    llvm_update_compile_flags(${name})
    cma_use_pch(${name})
  endif()
  target_compile_definitions(${name} PRIVATE
    CMA_TEST_DATA_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME unit/${name} COMMAND ${name})
  set_tests_properties(unit/${name} PROPERTIES LABELS unit)
endfunction()

# cmake -P script of the test install/embed; see CMakeLists.txt beside it.
set(scratch "${BUILD_DIR}/install-test")
file(REMOVE_RECURSE "${scratch}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit status ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${scratch}/first")
# The package may not rely on where it was first put.
file(RENAME "${scratch}/first" "${scratch}/moved")

run("${scratch}/moved/bin/cma-opt" --version)
if(NOT output MATCHES "CMA version")
  message(FATAL_ERROR "expected the installed cma-opt to print its version, got\n${output}")
endif()

# A package that names the source, the build tree or the first prefix is not
# relocatable.
file(GLOB package "${scratch}/moved/lib*/cmake/CMA/*.cmake")
if(NOT package)
  message(FATAL_ERROR "expected ${scratch}/moved/lib/cmake/CMA/*.cmake")
endif()
cmake_path(GET SOURCE_DIR PARENT_PATH examples)
cmake_path(GET examples PARENT_PATH source_root)
foreach(file ${package})
  file(READ "${file}" text)
  foreach(path "${source_root}/" "${BUILD_DIR}/" "${scratch}/first")
    string(FIND "${text}" "${path}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${scratch}/embed" -G Ninja
  "-DCMAKE_PREFIX_PATH=${scratch}/moved" "-DCMAKE_BUILD_TYPE=RelWithDebInfo"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_C_COMPILER=${C_COMPILER}"
  "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${scratch}/embed")
run("${scratch}/embed/embed")
if(NOT output MATCHES "loss [0-9.]+, after 500 steps [0-9.]+")
  message(FATAL_ERROR "expected the two losses, got\n${output}")
endif()
message(STATUS "${output}")

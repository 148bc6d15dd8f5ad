# SPDX-License-Identifier: MIT
# Builds the header test and says how many headers it compiled. -DBUILD=folder -DCOUNT=n
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target headers_alone
                RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "A header does not compile alone; the compiler's message is above.")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${COUNT} passed, 0 failed")

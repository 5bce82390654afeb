/*===- Entry.h - C ABI of a compiled function ---------------------*- C -*-===*\
|*
|* Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A compiled function is one constant of type `cma_entry`, exported under the
|* name `cma_entry_<function>`. It is the same for the JIT and for an object
|* file, and needs nothing of MLIR or LLVM.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CMA_RUNTIME_ENTRY_H
#define CMA_RUNTIME_ENTRY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names follow the habits of C. NOLINTBEGIN(readability-identifier-naming) */

/* Changes whenever a struct below changes. */
#define CMA_ENTRY_ABI_VERSION 1

/* Every buffer and the workspace start at a multiple of this many bytes. */
#define CMA_BUFFER_ALIGNMENT 64

typedef enum cma_dtype {
  CMA_DTYPE_F64 = 0,
  CMA_DTYPE_F32 = 1,
  CMA_DTYPE_F16 = 2,
  CMA_DTYPE_BF16 = 3,
  CMA_DTYPE_F8E4M3FN = 4,
  CMA_DTYPE_F8E5M2 = 5,
  CMA_DTYPE_I64 = 6,
  CMA_DTYPE_I32 = 7,
  CMA_DTYPE_I16 = 8,
  CMA_DTYPE_I8 = 9,
  CMA_DTYPE_I1 = 10 /* one byte an element, 0 or 1 */
} cma_dtype;

/* One buffer of the call: dense, row-major, `shape` in elements. Buffers are
 * the arguments in order, then every result that does not update an argument. A
 * buffer that the call writes (`is_result` or `donated`) overlaps no other. */
typedef struct cma_buffer_info {
  const char *name; /* cma.name; else, of a gradient, the argument that it
                       belongs to; else the position as a decimal number */
  const char *role; /* "parameter", "state", "data", "lr", "step",
                       "cotangent", "loss", "logits", "metric",
                       "gradient", "found_inf", or "" */
  int32_t dtype;    /* a cma_dtype */
  int32_t rank;
  const int64_t *shape; /* `rank` extents */
  int32_t is_result;    /* 1: the call only writes it */
  int32_t donated;      /* 1: an argument that the call updates in place */
} cma_buffer_info;

typedef enum cma_status_code {
  CMA_STATUS_OK = 0,
  CMA_STATUS_LABEL_OUT_OF_RANGE = 1
} cma_status_code;

/* Filled when a call fails; then no buffer was written. */
typedef struct cma_status {
  int32_t code; /* a cma_status_code */
  int32_t reserved;
  int64_t index;        /* row-major position of the offending element */
  int64_t value;        /* that element */
  int64_t limit;        /* what it had to stay below */
  const char *argument; /* name of the argument that holds it, or "" */
  const char *location; /* of the operation, as in a diagnostic */
} cma_status;

typedef struct cma_entry {
  int32_t abi_version; /* CMA_ENTRY_ABI_VERSION */
  int32_t num_buffers;
  int32_t num_arguments; /* the first buffers */
  int32_t num_results;
  const char *name;
  const cma_buffer_info *buffers;
  const int32_t *result_buffers; /* result -> its buffer; a donated result's is
                                    the argument's */
  int64_t workspace_bytes;
  /* Runs the function. `workspace` has workspace_bytes bytes; its contents do
   * not matter. Returns status->code. Threads: those of OpenMP. */
  int32_t (*call)(void *const *buffers, void *workspace, cma_status *status);
} cma_entry;

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* CMA_RUNTIME_ENTRY_H */

/*
 * Device header for the kernel corpus: lets clang compile the CUDA C sources to PTX without any
 * CUDA header. Under nvcc it adds nothing that CUDA has. Covers only what the corpus uses.
 */
#ifndef WL_DEVICE_H
#define WL_DEVICE_H

#if defined(__NVCC__)
#define WL_KERNEL                     extern "C" __global__
#define WL_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#include "wl_asm.h"
#elif defined(__CUDA__)
#include "wl_device_clang.h"
#define WL_KERNEL                     extern "C" __global__
#define WL_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#include "wl_asm.h"
#else
#include "wl_device_host.h"
#endif

#endif

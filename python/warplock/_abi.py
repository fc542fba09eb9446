"""The structures and functions of warplock.h and warplock_compare.h as ctypes sees them. Names and order
are the headers'."""

import ctypes as c

NAME = c.c_char_p
ADDRESS = c.c_uint64
HANDLE = c.c_void_p

LINE = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)
STOP = c.CFUNCTYPE(c.c_bool, c.c_void_p)
PIECE = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(c.c_char), c.c_size_t)
REPLAY = c.CFUNCTYPE(None, c.c_void_p, c.c_uint64, c.POINTER(c.c_char), c.c_size_t)


class DeviceOptions(c.Structure):
    """wl_device_options_t"""

    _fields_ = [
        ("backend", NAME), ("config", NAME), ("mem_bytes", c.c_uint64), ("seed", c.c_uint64),
        ("disturb", NAME), ("compare", NAME), ("threads", c.c_uint), ("inside", c.c_bool),
        ("max_cycles", c.c_uint64), ("log", LINE), ("log_context", c.c_void_p), ("stop", STOP),
        ("stop_context", c.c_void_p), ("pipeview", PIECE), ("pipeview_context", c.c_void_p),
        ("pipeview_format", NAME), ("trace", NAME), ("trace_from", c.c_uint64),
        ("trace_to", c.c_uint64), ("trace_failure", c.c_bool), ("snapshot_cycles", c.c_uint64),
        ("replay", REPLAY), ("replay_context", c.c_void_p), ("port", NAME), ("lockstep", c.c_bool),
        ("checked", c.c_bool),
    ]


class DeviceInfo(c.Structure):
    """wl_device_info_t"""

    _fields_ = [
        ("backend", NAME), ("config", NAME), ("warps", c.c_uint32), ("ctas", c.c_uint32),
        ("max_threads", c.c_uint32), ("max_regs", c.c_uint32), ("reg_pages", c.c_uint32),
        ("smem_bytes", c.c_uint32), ("mem_base", c.c_uint64), ("mem_bytes", c.c_uint64),
        ("mem_used", c.c_uint64), ("sub_cores", c.c_uint32),
    ]


class ModuleOptions(c.Structure):
    """wl_module_options_t"""

    _fields_ = [("max_regs", c.c_uint), ("target", NAME)]


class ParamInfo(c.Structure):
    """wl_param_info_t"""

    _fields_ = [("name", NAME), ("type", NAME), ("bytes", c.c_uint32), ("align", c.c_uint32),
                ("offset", c.c_uint32)]


class FunctionInfo(c.Structure):
    """wl_function_info_t"""

    _fields_ = [
        ("regs", c.c_uint32), ("preds", c.c_uint32), ("barriers", c.c_uint32),
        ("shared_static", c.c_uint32), ("local_bytes", c.c_uint32), ("param_bytes", c.c_uint32),
        ("reqntid", c.c_uint32 * 3), ("maxntid", c.c_uint32 * 3), ("minctapersm", c.c_uint32),
        ("maxnreg", c.c_uint32),
    ]


class Arg(c.Structure):
    """wl_arg_t"""

    _fields_ = [("data", c.c_void_p), ("bytes", c.c_size_t)]


class Launch(c.Structure):
    """wl_launch_t"""

    _fields_ = [("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("shared", c.c_uint32),
                ("local_bytes", c.c_uint32)]


class TrapInfo(c.Structure):
    """wl_trap_info_t"""

    _fields_ = [
        ("cause", c.c_uint32), ("message", NAME), ("pc", c.c_uint32), ("warp", c.c_uint32),
        ("lane", c.c_uint32), ("lanes", c.c_uint32), ("cta", c.c_uint32 * 3),
        ("has_address", c.c_bool), ("address", c.c_uint64),
    ]


class Result(c.Structure):
    """wl_result_t"""

    _fields_ = [("cycles", c.c_uint64), ("instructions", c.c_uint64),
                ("thread_instructions", c.c_uint64), ("trapped", c.c_bool), ("trap", TrapInfo)]


class Divergence(c.Structure):
    """wl_divergence_t"""

    _fields_ = [("cycle", c.c_uint64), ("record", NAME), ("array", NAME), ("warp", c.c_int),
                ("reg", c.c_int), ("has_pc", c.c_bool), ("pc", c.c_uint32)]


class Finding(c.Structure):
    """wl_finding_t"""

    _fields_ = [
        ("rule", NAME), ("text", NAME), ("pc", c.c_uint32), ("cta", c.c_uint32 * 3),
        ("thread", c.c_uint32 * 3), ("count", c.c_uint64), ("has_origin", c.c_bool),
        ("origin", c.c_uint32), ("has_address", c.c_bool), ("address", c.c_uint64),
    ]


class Place(c.Structure):
    """wl_place_t"""

    _fields_ = [("ptx_file", NAME), ("file", NAME), ("ptx_line", c.c_uint32), ("line", c.c_uint32)]


class AssembleOptions(c.Structure):
    """wl_assemble_options_t"""

    _fields_ = [("max_regs", c.c_uint), ("target", NAME), ("check_only", c.c_bool),
                ("histogram", c.c_bool), ("strict", c.c_bool), ("kernel", NAME), ("strict_tmem", c.c_bool)]


class RefusalInfo(c.Structure):
    """wl_refusal_info_t"""

    _fields_ = [("kernel", NAME), ("line", c.c_uint32), ("clause", NAME), ("text", NAME)]


class CompareOptions(c.Structure):
    """wl_compare_options_t"""

    _fields_ = [("follow_loads", c.c_bool), ("log_name", NAME)]


# C name, as tests/python/abi.py compares sizes and offsets.
STRUCTURES = {
    "wl_device_options_t": DeviceOptions, "wl_device_info_t": DeviceInfo,
    "wl_module_options_t": ModuleOptions, "wl_param_info_t": ParamInfo,
    "wl_function_info_t": FunctionInfo, "wl_arg_t": Arg, "wl_launch_t": Launch,
    "wl_trap_info_t": TrapInfo, "wl_result_t": Result, "wl_divergence_t": Divergence,
    "wl_finding_t": Finding,
    "wl_place_t": Place, "wl_assemble_options_t": AssembleOptions,
    "wl_compare_options_t": CompareOptions, "wl_refusal_info_t": RefusalInfo,
}

_P = c.POINTER
# name: (result, arguments)
FUNCTIONS = {
    "wl_version": (NAME, []),
    "wl_isa_hash": (c.c_uint64, []),
    "wl_sizeof": (c.c_size_t, [NAME]),
    "wl_status_text": (NAME, [c.c_int]),
    "wl_device_open": (c.c_int, [_P(DeviceOptions), _P(HANDLE)]),
    "wl_device_close": (None, [HANDLE]),
    "wl_error": (NAME, [HANDLE]),
    "wl_device_query": (c.c_int, [HANDLE, _P(DeviceInfo)]),
    "wl_config_name": (NAME, [c.c_uint]),
    "wl_backend_name": (NAME, [c.c_uint]),
    "wl_backend_available": (c.c_bool, [NAME]),
    "wl_alloc": (c.c_int, [HANDLE, c.c_uint64, _P(ADDRESS)]),
    "wl_free": (c.c_int, [HANDLE, ADDRESS]),
    "wl_write": (c.c_int, [HANDLE, ADDRESS, c.c_void_p, c.c_uint64]),
    "wl_read": (c.c_int, [HANDLE, c.c_void_p, ADDRESS, c.c_uint64]),
    "wl_fill": (c.c_int, [HANDLE, ADDRESS, c.c_uint8, c.c_uint64]),
    "wl_module_load": (c.c_int, [HANDLE, NAME, c.c_char_p, c.c_size_t, _P(ModuleOptions),
                                 _P(HANDLE)]),
    "wl_module_unload": (None, [HANDLE]),
    "wl_module_log": (NAME, [HANDLE]),
    "wl_module_symbol": (c.c_int, [HANDLE, NAME, _P(ADDRESS), _P(c.c_uint64)]),
    "wl_module_function": (c.c_int, [HANDLE, NAME, _P(HANDLE)]),
    "wl_module_function_at": (HANDLE, [HANDLE, c.c_uint]),
    "wl_function_name": (NAME, [HANDLE]),
    "wl_function_prototype": (NAME, [HANDLE]),
    "wl_function_params": (c.c_uint, [HANDLE]),
    "wl_function_param": (c.c_bool, [HANDLE, c.c_uint, _P(ParamInfo)]),
    "wl_function_query": (c.c_int, [HANDLE, _P(FunctionInfo)]),
    "wl_function_refusal": (c.c_bool, [HANDLE, c.c_uint, _P(RefusalInfo)]),
    "wl_function_place": (c.c_bool, [HANDLE, c.c_uint32, _P(Place)]),
    "wl_function_instruction": (c.c_bool, [HANDLE, c.c_uint32, c.c_char_p, c.c_size_t]),
    "wl_launch": (c.c_int, [HANDLE, _P(Launch), _P(Arg), c.c_uint, _P(Result)]),
    "wl_launch_report": (NAME, [HANDLE]),
    "wl_launch_note": (NAME, [HANDLE]),
    "wl_launch_divergence": (c.c_bool, [HANDLE, _P(Divergence)]),
    "wl_launch_finding": (c.c_bool, [HANDLE, c.c_uint, _P(Finding)]),
    "wl_compare_open": (c.c_int, [HANDLE, _P(Launch), _P(Arg), c.c_uint, _P(CompareOptions),
                                  _P(HANDLE)]),
    "wl_compare_line": (c.c_int, [HANDLE, c.c_char_p, c.c_size_t]),
    "wl_compare_end": (c.c_int, [HANDLE]),
    "wl_compare_text": (NAME, [HANDLE]),
    "wl_compare_json": (NAME, [HANDLE]),
    "wl_compare_close": (None, [HANDLE]),
    "wl_compare_start": (c.c_int, [HANDLE, _P(Launch), _P(Arg), c.c_uint, PIECE, c.c_void_p]),
    "wl_effects": (c.c_int, [HANDLE, PIECE, c.c_void_p]),
    "wl_assemble": (c.c_int, [NAME, c.c_char_p, c.c_size_t, _P(AssembleOptions), _P(HANDLE)]),
    "wl_assembly_log": (NAME, [HANDLE]),
    "wl_assembly_refusal": (c.c_bool, [HANDLE, c.c_size_t, _P(RefusalInfo)]),
    "wl_assembly_object": (c.c_void_p, [HANDLE, _P(c.c_size_t)]),
    "wl_assembly_free": (None, [HANDLE]),
    "wl_disassemble": (c.c_int, [c.c_char_p, c.c_size_t, c.c_bool, LINE, c.c_void_p, c.c_char_p,
                                 c.c_size_t]),
}

# Thin front of the CMake build: `make` lists the targets. Everything lies in $(BUILD).
BUILD ?= build
CONFIGURE_ARGS ?=
# As many jobs as there are processors, and memory for: 1.5 GB each.
JOBS ?= $(shell awk -v n="$$(nproc)" '/MemAvailable/ { m = int($$2 / 1500000) } \
	END { if (m < 1) m = 1; print (m < n ? m : n) }' /proc/meminfo)
export JOBS
MAKEFLAGS += --no-print-directory

help:
	@echo 'make demo      set up, build and run a real kernel in lockstep, with a report'
	@echo 'make test      set up, build and pass the tests (JUNIT=FILE: also a report as JUnit XML)'
	@echo 'make build     set up and build into $(BUILD)/'
	@echo 'make setup     only install the tools that the system lacks into $(BUILD)/tools'
	@echo 'make campaign  the long test list (PART="kernels ..."); goes on where it was stopped'
	@echo 'make farm      campaigns in shards, here or on Slurm, with one report (FARM_ARGS; docs/farm.md)'
	@echo 'make trace     also build the RTL with waves (TRACE="tiny base ..."), and test them'
	@echo 'make bench     measure speed, write $(BUILD)/bench.json'
	@echo 'make dpi       libwarplock_dpi.so for test benches in any simulator: no Verilator, no network'
	@echo 'make hosts     build and test the C parts with clang, and with sanitizers'
	@echo 'make coverage  lines of isa/lower that programs with an independent witness reach'
	@echo 'make adding    apply, build and test the samples of docs/ADDING.md'
	@echo 'make lint      check the RTL with Verilator and Yosys, the twin rules, and the format of C'
	@echo 'make format    write C and C++ as clang-format does (.clang-format)'
	@echo 'make figures   draw docs/figures/*.svg from their sources (Graphviz)'
	@echo 'make formal    prove properties of the RTL (FORMAL="UNIT/JOB ..."; docs/formal.md)'
	@echo 'make area      estimate the FPGA area of the tiny configuration'
	@echo 'make fpga      bitstream for the ULX3S-85F and a report (CONFIG, FPGA_ARGS; docs/fpga.md)'
	@echo 'make fpga-synth, fpga-sweep, fpga-load   only synthesis and budget; rows and seeds; into the board'
	@echo 'make clean     remove $(BUILD)/'
	@echo 'WL_PGO=0: demo and bench without a profile of the models (tools/pgo.sh).'
	@echo 'WL_WHEELHOUSE=dir works without network; WERROR=1 makes warnings errors.'

setup:
	@tools/setup_tools.sh '$(BUILD)'

# Configured again only for other settings: CMake itself sees its own files change.
configure: setup
	@tools/configure.sh '$(BUILD)' -DWL_WERROR=$(if $(filter 1,$(WERROR)),ON,OFF) $(CONFIGURE_ARGS)

build: configure
	@cmake --build '$(BUILD)' -j $(JOBS)

# Only what the demo needs: the tests' programs take longer to build than it may. Demo and bench have
# models with a profile (tools/pgo.sh), which other targets then keep; WL_PGO=0: without.
WL_PGO ?= 1
pgo = $(if $(filter 1,$(WL_PGO)),tools/pgo.sh '$(BUILD)' $(1) $(CONFIGURE_ARGS),true)
configure-pgo: setup
	@tools/configure.sh '$(BUILD)' -DWL_WERROR=$(if $(filter 1,$(WERROR)),ON,OFF) \
	  -DWL_PGO=$(if $(filter 1,$(WL_PGO)),use) $(CONFIGURE_ARGS)

demo: setup
	@$(call pgo,demo)
	@$(MAKE) configure-pgo
	@cmake --build '$(BUILD)' -j $(JOBS) --target warplock wl_kernel_tool
	@tools/demo.sh '$(BUILD)'

test: build
	@tools/run_tests.sh '$(BUILD)' $(if $(JUNIT),--junit '$(JUNIT)') -LE '^campaign$$'

campaign: build
	@tools/campaign.sh '$(BUILD)' $(PART)

# FARM_ARGS: options of tools/farm.sh, for instance '--kinds words --minutes 60 --slurm'.
farm: build
	@tools/farm.sh '$(BUILD)' $(FARM_ARGS)

# The RTL a second time, with its signals in FST waves (docs/replay.md); stays in the build from then on.
TRACE ?= tiny
trace: setup
	@tools/configure.sh '$(BUILD)' -DWL_WERROR=$(if $(filter 1,$(WERROR)),ON,OFF) \
	  '-DWL_TRACE=$(shell echo $(TRACE) | tr " " ";")' $(CONFIGURE_ARGS)
	@cmake --build '$(BUILD)' -j $(JOBS) --target wl_waves
	@ctest --test-dir '$(BUILD)' -R '^replay/(waves|snapshots)$$' --output-on-failure

bench: setup
	@$(call pgo,bench)
	@$(MAKE) configure-pgo
	@cmake --build '$(BUILD)' -j $(JOBS) --target warplock
	@tools/bench.sh '$(BUILD)'

# Golden model and comparison only (docs/cosim.md), in a folder of its own; nothing is set up for it.
dpi:
	@tools/configure.sh '$(BUILD)/dpi' -DWL_SETUP_TOOLS=OFF -DWL_WERROR=$(if $(filter 1,$(WERROR)),ON,OFF)
	@cmake --build '$(BUILD)/dpi' -j $(JOBS) --target warplock_dpi
	@echo '$(BUILD)/dpi/lib/libwarplock_dpi.so; package: rtl/dpi/warplock_cosim_pkg.sv'

hosts: setup
	@tools/hosts.sh '$(BUILD)'

coverage:
	@JOBS='$(JOBS)' tools/coverage.sh '$(BUILD)'

# In a copy of the tree, $(BUILD)/adding; ADDING="FILE.patch ..." for some samples only.
ADDING ?=
adding: setup
	@JOBS='$(JOBS)' tools/adding.sh '$(BUILD)' $(ADDING)

lint: build
	@tools/setup_tools.sh '$(BUILD)' yosys format
	@tools/lint.sh '$(BUILD)'

format:
	@tools/setup_tools.sh '$(BUILD)' format
	@git ls-files -z '*.c' '*.h' '*.cpp' | xargs -0 '$(BUILD)/tools/venv/bin/clang-format' -i

figures:
	@tools/figures.sh

area: build
	@tools/setup_tools.sh '$(BUILD)' yosys
	@tools/area.sh '$(BUILD)'

# Only the generated files are built: no Verilator, no simulation.
FORMAL ?=
formal: configure
	@tools/setup_tools.sh '$(BUILD)' formal
	@cmake --build '$(BUILD)' -j $(JOBS) --target wl_gen
	@tools/formal.sh '$(BUILD)' $(FORMAL)

# Only the generated files are built. CONFIG: the row; FPGA_ARGS: options of tools/fpga.sh, for instance
# '--seed 3'.
FPGA_ARGS ?=
fpga_args = $(if $(CONFIG),--config $(CONFIG)) $(FPGA_ARGS)
fpga-tools: configure
	@tools/setup_tools.sh '$(BUILD)' fpga
	@cmake --build '$(BUILD)' -j $(JOBS) --target wl_gen ecp5_refine

fpga: fpga-tools
	@tools/fpga.sh '$(BUILD)' bit $(fpga_args)

fpga-synth: fpga-tools
	@tools/fpga.sh '$(BUILD)' synth $(fpga_args)

fpga-sweep: fpga-tools
	@tools/fpga.sh '$(BUILD)' sweep $(fpga_args)

fpga-load:
	@tools/fpga.sh '$(BUILD)' load $(fpga_args)

clean:
	rm -rf '$(BUILD)'

.PHONY: help setup configure configure-pgo build demo test campaign farm trace bench dpi hosts coverage adding lint format figures area formal \
  fpga fpga-tools fpga-synth fpga-sweep fpga-load clean

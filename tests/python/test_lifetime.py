"""What is given back, when, and that nothing is lost: memory of the device and of the process."""

import gc
import resource
import threading
import unittest
import weakref

import warplock
from common import SAXPY, Case, floats, module_text, python

ENDLESS = module_text("again:\n bra again;")


class Lifetime(Case):
    def test_buffer_is_freed_by_the_collector(self):
        with warplock.Device() as device:
            used = device.info.mem_used
            held = device.alloc(5000)
            del held
            self.assertEqual(device.info.mem_used, used)
            with device.alloc(5000) as buffer:
                self.assertGreater(device.info.mem_used, used)
            self.assertEqual(device.info.mem_used, used)
            self.raises(warplock.InputError, "has been freed", buffer.read)
            buffer.free()

    def test_module_is_unloaded_by_the_collector(self):
        with warplock.Device() as device:
            used = device.info.mem_used
            kernel = device.load(SAXPY)["saxpy"]
            gc.collect()
            self.assertGreater(device.info.mem_used, used)  # the kernel holds its module
            kernel.launch(1, 1, 1.0, 0, 0, 0)
            del kernel
            gc.collect()
            # A launch leaves the area of the launch block; a second round adds nothing.
            again = device.info.mem_used
            device.load(SAXPY)["saxpy"].launch(1, 1, 1.0, 0, 0, 0)
            gc.collect()
            self.assertEqual(device.info.mem_used, again)

    def test_device_is_closed_by_the_collector(self):
        device = warplock.Device()
        handle, seen = device._handle, weakref.ref(device)
        buffer = device.alloc(4)
        del device
        gc.collect()
        self.assertIsNotNone(handle.pointer)  # the buffer holds its device
        del buffer
        gc.collect()
        self.assertIsNone(handle.pointer)
        self.assertIsNone(seen())

    def test_buffer_freed_during_a_launch(self):
        """What the collector finds while the library works waits for the next call."""
        freed = []
        with warplock.Device("model", config="tiny", stop=lambda: drop()) as device:
            held = [device.alloc(100000)]
            used = device.info.mem_used

            def drop():
                held.clear()
                gc.collect()
                freed.append(len(device._handle.released))
                return True

            self.raises(warplock.HangError, ".", device.module(ENDLESS)["k"].launch, 1, 1)
            self.assertEqual(freed, [1])
            self.assertLess(device.info.mem_used, used)

    def test_process_memory(self):
        """Many devices, modules, buffers and launches, failed ones too: the process does not grow."""
        def work(times):
            x = floats(range(4000))
            for _ in range(times):
                with warplock.Device(mem_bytes=8 << 20) as device:
                    kernel = device.load(SAXPY)["saxpy"]
                    a = device.buffer(x)
                    kernel.launch(1, 32, 2.0, a, a, 32)
                    a.view("f")
                    try:
                        device.module("nonsense")
                    except warplock.InputError:
                        pass
                    try:
                        kernel.launch(1, 32, 2.0, 64, 64, 32)
                    except warplock.TrapError:
                        pass
                warplock.disassemble(warplock.assemble(module_text(" ret;")).object)
            gc.collect()

        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB

        work(20)
        before = peak()
        work(150)
        # One device is 8 MiB: 150 lost ones would be 1.2 GB, a lost kilobyte each 150 KiB.
        self.assertLess(peak() - before, 3000)

    def test_threads(self):
        """Two devices at once, and one device of two threads: calls wait for each other."""
        errors = []

        def run(device):
            try:
                kernel = device.load(SAXPY)["saxpy"]
                for n in range(20):
                    y = device.buffer(floats([n] * 64))
                    kernel.launch(2, 32, 1.0, y, y, 64)
                    assert y.view("f").tolist() == [2.0 * n] * 64
            except BaseException as e:  # told below
                errors.append(e)

        with warplock.Device() as a, warplock.Device("model", config="tiny") as b:
            threads = [threading.Thread(target=run, args=(d,)) for d in (a, a, b, b)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        self.assertEqual(errors, [])

    def test_close_while_another_thread_launches(self):
        started, go = threading.Event(), threading.Event()

        def stop():
            started.set()
            return go.is_set()

        device = warplock.Device("model", config="tiny", stop=stop)
        kernel = device.module(ENDLESS)["k"]
        thread = threading.Thread(target=lambda: kernel.launch(1, 1, check=False), daemon=True)
        self.addCleanup(go.set)
        thread.start()
        started.wait(60)
        self.raises(warplock.InputError, "in use by another thread", device.close)
        go.set()
        thread.join()
        device.close()

    def test_end_of_the_program(self):
        """Open devices, buffers and modules at the end are no error."""
        done = python("import warplock\nd = warplock.Device('model', config='tiny')\nb = d.alloc(4)\n"
                      f"k = d.load({SAXPY!r})['saxpy']\nprint('end')")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))


if __name__ == "__main__":
    unittest.main()

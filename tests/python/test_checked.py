"""Findings of checked launches (docs/checked.md), as objects."""

import unittest

import warplock
from common import Case, module_text

# Thread 0 writes, and a bulk copy reads without a fence of the proxies; then a register that nothing wrote.
BODY = """  .shared .align 16 .b32 place[4];
  .reg .b64 a; .reg .b32 t, r; .reg .pred other;
  ld.param.u64 a, [out];
  mov.u32 t, %tid.x;
  setp.ne.u32 other, t, 0;
  @other bra done;
  st.shared.v4.u32 [place], {1, 2, 3, 4};
  FENCE
  cp.async.bulk.global.shared::cta.bulk_group [a], [place], 16;
  VALUE
  st.global.u32 [a+16], r;
done:
  ret;"""


def text(fence, value):
    body = BODY.replace("FENCE", fence).replace("VALUE", value)
    return module_text(body, ".param .u64 out", version="8.0", target="sm_90")


def line_of(source, part):
    return next(n for n, line in enumerate(source.splitlines(), 1) if part in line)


class Findings(Case):
    def test_findings(self):
        source = text("", "")
        with warplock.Device(config="tiny", checked=True) as device:
            kernel = device.module(source, "k.ptx")["k"]
            out = device.buffer(bytes(32))
            result = kernel.launch(1, 40, out)
            self.assertTrue(result.ok)
            self.assertEqual([f.rule for f in result.findings], ["proxy-fence", "uninitialised-output"])
            fence, value = result.findings
            self.assertEqual((fence.place.ptx_file, fence.place.ptx_line),
                             ("k.ptx", line_of(source, "cp.async.bulk")))
            self.assertEqual((fence.cta, fence.thread, fence.count), ((0, 0, 0), (0, 0, 0), 1))
            self.assertEqual((fence.address, fence.origin), (0, None))
            self.assertIn("bulk.store", fence.instruction)
            self.assertTrue(str(fence).startswith(f"k.ptx:{fence.place.ptx_line}: proxy-fence: "))
            self.assertTrue(str(fence).endswith("; CTA 0,0,0 thread 0,0,0"))
            self.assertEqual((value.place.ptx_line, value.address),
                             (line_of(source, "st.global"), out.address + 16))
            # The next launch has its own.
            clean = device.module(text("fence.proxy.async;", "mov.u32 r, 7;"))["k"]
            self.assertEqual(clean.launch(1, 40, out).findings, ())
            self.assertEqual(len(kernel.launch(1, 40, out).findings), 2)

    def test_unchecked(self):
        with warplock.Device(config="tiny") as device:
            kernel = device.module(text("", ""))["k"]
            self.assertEqual(kernel.launch(1, 40, device.buffer(bytes(32))).findings, ())

    def test_backend(self):
        if warplock.backends()["model"]:
            e = self.raises(warplock.InputError, "does not check", warplock.Device, "model",
                            config="tiny", checked=True)
            self.assertEqual(e.exit_code, 2)


if __name__ == "__main__":
    unittest.main()

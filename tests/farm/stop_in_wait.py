"""Usage: stop_in_wait.py TOOLS DIR. A shard that is told to stop while its program is waited for, at the
moment at which Popen.wait holds its lock: it ends with exit code 143, and so does its program."""
import json
import os
import signal
import sys

sys.path.insert(0, sys.argv[1])
import shard  # noqa: E402

folder = sys.argv[2]
with open(os.path.join(folder, 'shard.json'), 'w', encoding='utf-8') as f:
    json.dump({'name': 'x', 'command': ['sleep', '120'], 'limit': 60, 'read': '', 'codes': [0]}, f)

Popen = shard.subprocess.Popen
try_wait, told = Popen._try_wait, []


def tell(self, flags):
    if not told:
        told.append(self.pid)
        os.kill(os.getpid(), signal.SIGTERM)
    return try_wait(self, flags)


Popen._try_wait = tell
code = shard.run(folder)
left = shard.session(told[0])
sys.exit(f'exit code {code}, left {left}' if code != 143 or left else 0)

"""The design file of the FPGA flow, fpga/ulx3s.txt and its kin: which sources, which top, which
device, which constraints. One directive per line, '#' begins a comment:

  top NAME                     the top module
  list FILE [without FILE...]  sources named in FILE, one per line (rtl/files.txt), with the cells of the ECP5
  file FILE                    one source
  include DIR                  where `include looks
  define NAME[=VALUE]
  hash NAME                    the top's parameter NAME is 64'h of the hash of sources and options
  set NAME VALUE               the top's parameter NAME is VALUE (--set gives another)
  device SIZE PACKAGE SPEED    as nextpnr-ecp5 names them: 85k CABGA381 6
  constraints FILE             pins and clocks (LPF)
  frequency MHZ                for clocks without a constraint
  clock NET MHZ [NAME]         what the clock NET (or one whose name ends in .NET) needs; with NAME, a number
                               that a line "set" gives, MHZ divided by it
  reservation NET [CONFIG...]  fpga/rtl/reservation.sv is added, its clock is NET (only to these rows)
  scan PORT                    no board: the ports become a shift register on the clock PORT
All files are relative to the project's root, gen/ is <build>/gen.
"""
import hashlib

CELLS = ('rtl/cells/generic/', 'rtl/cells/ecp5/')  # the two variants of a cell
DIRECTIVES = {'top': (1, 1), 'list': (1, 99), 'file': (1, 1), 'include': (1, 1), 'define': (1, 1),
              'hash': (1, 1), 'set': (2, 2), 'device': (3, 3), 'constraints': (1, 1),
              'frequency': (1, 1), 'clock': (2, 3), 'reservation': (1, 9), 'scan': (1, 1)}


class DesignError(Exception):
    """The design file, or a file that it names, is not as it must be."""


class Design:
    """One design, for one configuration."""

    def __init__(self, root, build, path, config, top=None, parameters=()):
        self.root, self.build, self.path, self.config = root, build, path, config
        self.changed = dict(parameters)  # of lines "set": other values
        self.top = self.hash_name = self.constraints = self.reservation = self.scan = None
        self.includes, self.defines, self.files = [], ['SYNTHESIS'], []
        self.device, self.frequency = ['85k', 'CABGA381', '6'], 50.0
        self.clocks, self.divided, self.parameters = {}, {}, {}
        if config:
            self.files = [('gen', 'wl_pkg.sv'), ('gen', f'config_{config}_pkg.sv')]
        self.read(path)
        for name, value in self.changed.items():
            if name not in self.parameters:
                raise DesignError(f'--set {name}={value}: {path} has no line "set {name}"')
            self.parameters[name] = value
        self.divide()
        self.top = top or self.top
        if not self.top:
            raise DesignError(f'{path}: no line "top NAME"')

    def read(self, path):
        try:
            lines = path.read_text().splitlines()
        except OSError as e:
            raise DesignError(f'{path}: {e.strerror}') from None
        for number, line in enumerate(lines, 1):
            words = line.split('#')[0].split()
            if not words:
                continue
            least, most = DIRECTIVES.get(words[0], (0, -1))
            if not least <= len(words) - 1 <= most:
                raise DesignError(f'{path}:{number}: not a directive: {line.strip()}')
            try:
                self.directive(*words)
            except (OSError, ValueError) as e:
                raise DesignError(f'{path}:{number}: {e}') from None

    def directive(self, name, *words):
        if name == 'top':
            self.top = words[0]
        elif name == 'list':
            without = words[2:] if len(words) > 1 else ()
            listed = (self.root / words[0]).read_text().splitlines()
            named = [line.split('#')[0].strip().replace(*CELLS) for line in listed]
            self.files += [self.place(n) for n in named if n and n not in without]
        elif name == 'file':
            self.files.append(self.place(words[0]))
        elif name == 'include':
            self.includes.append(words[0])
        elif name == 'define':
            self.defines.append(words[0])
        elif name == 'hash':
            self.hash_name = words[0]
        elif name == 'set':
            self.parameters[words[0]] = words[1]
        elif name == 'device':
            self.device = list(words)
        elif name == 'constraints':
            self.constraints = words[0]
        elif name == 'frequency':
            self.frequency = float(words[0])
        elif name == 'clock':
            self.clocks[words[0]] = float(words[1])
            self.divided[words[0]] = words[2:]
        elif name == 'reservation':
            self.reservation = words[0] if not words[1:] or self.config in words[1:] else None
        elif name == 'scan':
            self.scan = words[0]

    def divide(self):
        """Clocks that a parameter divides, once all parameters are known."""
        for net, names in self.divided.items():
            for name in names:
                value = self.parameters.get(name, '')
                if not value.isdecimal() or int(value) == 0:
                    raise DesignError(f'{self.path}: clock {net}: parameter {name} is {value or "not set"}, not a '
                                      'number from 1 on')
                self.clocks[net] /= int(value)

    @staticmethod
    def place(name):
        """'gen/x.sv' lies in the build tree, everything else in the project."""
        if name.startswith('/'):
            raise ValueError(f'{name}: a source is named relative to the project or as gen/NAME')
        return ('gen', name[4:]) if name.startswith('gen/') else ('src', name)

    def real(self, place):
        tree, name = place
        return (self.build / 'gen' if tree == 'gen' else self.root) / name

    def source_hash(self):
        """Over all sources, what they may include, the defines and the top: 64 hexadecimal digits."""
        included = []
        for folder in self.includes:
            base = self.build / 'gen' if folder == 'gen' else self.root / folder
            included += sorted(p for p in base.rglob('*') if p.suffix in ('.svh', '.vh', '.hex', '.mem'))
        total = hashlib.sha256()
        for path, name in [(self.real(f), '/'.join(f)) for f in self.files] + [(p, p.name) for p in included]:
            try:
                data = path.read_bytes()
            except OSError as e:
                raise DesignError(f'{path}: {e.strerror}') from None
            total.update(f'{name} {len(data)}\n'.encode())
            total.update(data)
        total.update(repr((self.top, self.defines, self.hash_name, self.parameters, self.device)).encode())
        return total.hexdigest()

    def read_command(self, source_hash):
        """Yosys' command, to be run in a folder with the links src and gen: no path with a blank
        reaches Yosys."""
        words = ['read_slang', '--top', self.top, '--ignore-assertions']
        if self.hash_name:
            words += ['-G', f"{self.hash_name}=64'h{source_hash[:16]}"]
        for name, value in self.parameters.items():
            words += ['-G', f'{name}={value}']
        for define in self.defines:
            words += ['-D', define]
        for folder in self.includes:
            words += ['-I', folder if folder == 'gen' else f'src/{folder}']
        return ' '.join(words + ['/'.join(f) for f in self.files])

"""Routes a placed netlist: what the program er_route (route/) reads of it, and what it found put into the netlist, for
nextpnr to read."""
import os
import re
import subprocess

import netlist
import refined

# Rules for the inputs of a slice's look-up tables, as in route/route.h.
CARRY, RAM = 1, 2
SLICES = 'ABCD'


def wire(cell, port):
    """(column, row, name) of the wire at a cell's port, or None where the router does not know the cell."""
    x, y, where = refined.site(cell)
    kind = cell['type']
    if kind in refined.MOVING:
        return refined.wire(cell, port)
    if kind == 'TRELLIS_IO':
        pad = {'I': 'PADDO', 'T': 'PADDT', 'O': 'JPADDI'}.get(port)
        return (x, y, f'{pad}{where[-1]}_PIO') if pad else None
    if kind == 'DCCA':
        return (0, 0, f'G_JCE_{where}') if port == 'CE' else None
    if kind == 'EHXPLLL':
        return x, y, f'J{port}_PLL'
    found = re.fullmatch(r'SLICE([ABCD])\.(K|FF|RAMW)(\d?)', where)
    if not found:
        return None
    letter, half = found[1], int(found[3] or 0)
    slice_number = SLICES.index(letter)
    number = 2 * slice_number + half
    if kind == 'TRELLIS_RAMW':
        # Its inputs are those of the slice's two look-up tables, its outputs have names of their own.
        name = f'{port[0]}{number + int(port[1])}' if re.fullmatch(r'[ABCD][01]', port) else f'{port}{letter}'
    elif kind == 'TRELLIS_FF':
        name = f'{port}{slice_number if port in ("CE", "LSR", "CLK") else number}'
    elif kind == 'TRELLIS_COMB':
        name = look_up_table(letter, slice_number, half, port)
    else:
        return None
    return x, y, f'{name}_SLICE'


def look_up_table(letter, slice_number, half, port):
    if port in ('A', 'B', 'C', 'D', 'M', 'F'):
        return f'{port}{2 * slice_number + half}'
    if port == 'F1':
        return f'F{2 * slice_number + half + 1}'
    if port == 'OFX':
        return f'{"FX" if half else "F5"}{letter}'
    if port in ('FXA', 'FXB'):
        return port + letter
    if port == 'FCI':
        return f'FCI{letter}1' if half else 'FCI' if letter == 'A' else f'FCI{letter}'
    if port == 'FCO':
        return f'FCI{letter}1' if not half else 'FCO' if letter == 'D' else f'FCO{letter}'
    if port == 'WD':
        return f'WD{half}{letter}'
    if re.fullmatch(r'WAD\d', port):
        return port + letter
    if port in ('WRE', 'WCK'):
        return f'{port}{slice_number}'
    return port


class Pins:
    """The nets that the router is asked for, which are all but those of clocks, and the slices whose inputs
    must not be permuted freely."""

    def __init__(self, text, timed):
        self.nets, rules = [], {}
        for cell in text.cells.values():
            mode = cell['parameters'].get('MODE', 'LOGIC').strip() if cell['type'] == 'TRELLIS_COMB' else ''
            rule = {'CCU2': CARRY, 'DPRAM': RAM, 'RAMW_BLOCK': RAM}.get(mode, 0)
            if rule:
                x, y, where = refined.site(cell)
                key = (x, y, SLICES.index(where[5]))
                rules[key] = max(rule, rules.get(key, 0))
        self.rules = rules
        ends = {}
        for name in text.names:
            cell = text.cells[name]
            for port, bits in cell['connections'].items():
                for bit in bits:
                    if isinstance(bit, int) and cell['port_directions'].get(port) == 'input':
                        ends.setdefault(bit, []).append((name, port))
        outputs = {(name, bit): port for name in text.names
                   for port, bits in text.cells[name]['connections'].items()
                   if text.cells[name]['port_directions'].get(port) == 'output' for bit in bits}
        for bit, sinks in sorted(ends.items()):
            if bit in text.clock_bits or bit not in text.driver:
                continue
            driver = text.driver[bit]
            source = wire(text.cells[driver], outputs[driver, bit])
            wires = [(text.index[name], at) for name, port in sinks if (at := wire(text.cells[name], port))]
            if source and wires:
                self.nets.append((bit, timed.get(bit, -1), source, wires))

    def write(self, path):
        with open(path, 'w', encoding='utf-8') as f:
            def line(*words):
                f.write(' '.join(map(str, words)) + '\n')

            line(len(self.rules))
            for key, rule in sorted(self.rules.items()):
                line(*key, rule)
            line(len(self.nets))
            for _, timed, source, wires in self.nets:
                line(timed, len(wires), *source)
                for cell, sink in wires:
                    line(cell, *sink)


def put_in(pins, path, top):
    """Gives the nets the routing that the router wrote."""
    nets = {}
    for name, net in top['netnames'].items():
        if len(net['bits']) == 1:
            nets.setdefault(net['bits'][0], name)
    with open(path, encoding='utf-8') as f:
        for (bit, *_), text in zip(pins.nets, f):
            if text.strip():
                top['netnames'][nets[bit]]['attributes']['ROUTING'] = text.strip()


def route(program, placed, chip, speed, out, other, between, options):
    """The netlist `placed` with routing, as `out`; exit code of `program`, 3 where wires are left that two nets use.
    chip: nextpnr's chip database; other, between: as of refined.refine."""
    print('reading', flush=True)
    whole, top = netlist.load(placed)
    text = refined.Text(top, near=0)
    pins = Pins(text, text.write(out + '.place'))
    pins.write(out + '.nets')
    done = subprocess.run([program, chip, out + '.place', out + '.nets', out + '.routes', f'speed={speed}',
                           f'other={other}', f'between={between}', *options], check=False)
    if done.returncode:
        return done.returncode
    put_in(pins, out + '.routes', top)
    # nextpnr takes this over its option; the first router keeps what is routed already.
    top['settings']['router'] = 'router1'
    netlist.store(out, whole)
    for end in ('.place', '.nets', '.routes'):
        os.unlink(out + end)
    return 0

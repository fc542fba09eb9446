"""What the FPGA flow tells at its end: rows of BUILD/fpga/report.json, and tables."""
import json
import os
import re
import statistics

import netlist
from stages import meta_of

NAMES = {'lut4': 'LUT4', 'ff': 'FF', 'ebr': 'EBR', 'mult18': 'MULT18'}


def lanes_of(flow, config):
    """Physical lanes of a configuration, from its generated package."""
    if not config:
        return None
    text = (flow.build / 'gen' / f'config_{config}_pkg.sv').read_text()
    found = re.search(r'localparam int unsigned Lanes = (\d+);', text)
    return int(found[1]) if found else None


def clock_name(name):
    """'core_clk' of '$glbnet$core_clk$TRELLIS_IO_IN'."""
    return re.sub(r'^\$glbnet\$|\$TRELLIS_IO_IN$', '', name)


def critical(report, limit=40):
    """The worst path of each clock: its length and the cells and nets on it."""
    paths = []
    for path in report.get('critical_paths', []):
        if path['from'].split()[-1] != path['to'].split()[-1]:
            continue
        steps = path['path']
        paths.append({
            'clock': clock_name(path['from'].split()[-1]),
            'ns': round(sum(s['delay'] for s in steps), 2),
            'logic_ns': round(sum(s['delay'] for s in steps if s['type'] != 'routing'), 2),
            'steps': [f'{s["delay"]:.2f} {s["type"]} {s.get("net") or s["to"]["cell"]}'
                      for s in steps][:limit]})
    return paths


def unmet(report):
    """Texts of the clocks that are slower than asked for, and of paths from one clock to another that are
    longer than the slower one's period."""
    asked = {clock_name(n): f['constraint'] for n, f in report['fmax'].items()}
    texts = [f'{clock_name(n)} reaches {f["achieved"]:.1f} MHz of {f["constraint"]:g}'
             for n, f in report['fmax'].items() if f['achieved'] < f['constraint']]
    for path in report.get('critical_paths', []):
        ends = [clock_name(path[end].split()[-1]) for end in ('from', 'to')]
        if ends[0] == ends[1] or not set(ends) <= set(asked):
            continue
        ns, most = sum(s['delay'] for s in path['path']), 1e3 / min(asked[e] for e in ends)
        if ns > most:
            texts.append(f'{ends[0]} to {ends[1]} takes {ns:.1f} ns of {most:g}')
    return texts


def row(flow, design, seed, folders):
    """One line of the report."""
    metas = {name: meta_of(folder) for name, folder in folders.items()}
    report = json.loads((folders['route'] / 'pnr.json').read_text())
    fmax = {clock_name(n): {'achieved': round(f['achieved'], 2), 'asked': round(f['constraint'], 2)}
            for n, f in report['fmax'].items()}
    counts = metas['route']['counts']
    lanes = lanes_of(flow, design.config)
    return {'design': design.top, 'config': design.config, 'set': design.changed, 'seed': seed, 'lanes': lanes,
            'device': ' '.join(design.device), 'reservation': 'reservation' in folders,
            **counts, 'used': {k: u for k, u in report['utilization'].items() if u['used']},
            'lut4_per_lane': round(metas['synth']['counts']['lut4'] / lanes) if lanes else None,
            'design_alone': metas['synth']['counts'],
            'fmax': fmax, 'fmax_least': min((f['achieved'] for f in fmax.values()), default=None),
            'unmet': unmet(report) if design.clocks else [], 'critical_paths': critical(report),
            'source_hash': metas['synth']['source_hash'],
            'tools': {m['tool'].split()[0]: m['tool'].split()[1] for m in metas.values()},
            'tools_from': {n: t['from'] + ': ' + t['note'] for n, t in flow.tools.items()},
            'minutes': {n: round(m['seconds'] / 60, 2) for n, m in metas.items()},
            'placer_router_seconds': metas['route']['phases'],
            'memory_gb': round(max(m['memory'] for m in metas.values()) / 1e9, 2)}


def save(flow, rows):
    """Puts the rows into report.json in place of older ones of the same design, config and seed."""
    path = flow.out / 'report.json'
    try:
        old = json.loads(path.read_text())['rows']
    except (OSError, ValueError, KeyError):
        old = []

    def name(r):
        return (r['design'], r['config'] or '', r['seed'], r['device'], r['reservation'],
                sorted(r.get('set', {}).items()))

    new = [name(r) for r in rows]
    every = [r for r in old if name(r) not in new] + rows
    write(path, json.dumps({'rows': sorted(every, key=name)}, indent=1) + '\n')


def write(path, text):
    """Whole or not at all."""
    part = path.with_name(path.name + '.new')
    part.write_text(text)
    os.replace(part, path)


def table(heads, lines):
    """A table of Markdown, columns as wide as their widest field."""
    cells = [heads] + [[str(c) for c in line] for line in lines]
    wide = [max(len(line[i]) for line in cells) for i in range(len(heads))]
    text = ['| ' + ' | '.join(c.ljust(w) for c, w in zip(line, wide)) + ' |' for line in cells]
    text.insert(1, '|' + '|'.join('-' * (w + 2) for w in wide) + '|')
    return '\n'.join(text)


def budget_table(budget, rows):
    heads = ['part'] + [f'{NAMES[r]} (most)' for r in netlist.RESOURCES] + ['LUT4 of device']
    return table(heads, [[name] + [f'{n[r]} ({most[r]})' for r in netlist.RESOURCES] +
                         [f'{budget.of_device("lut4", n["lut4"]):.1f} %'] for name, n, most in rows])


def run_name(r):
    return ' '.join([r['config'] or r['design'], *(f'{n}={v}' for n, v in r['set'].items())])


def runs_table(rows):
    heads = ['config', 'seed', 'LUT4', 'FF', 'EBR', 'MULT18', 'Fmax MHz', 'minutes', 'GB']
    return table(heads, [
        [run_name(r), r['seed'], r['lut4'], r['ff'], r['ebr'], r['mult18'],
         ', '.join(f'{n} {f["achieved"]:.1f}' for n, f in sorted(r['fmax'].items())),
         f'{sum(r["minutes"].values()):.1f}', f'{r["memory_gb"]:.1f}'] for r in rows])


def placed_routed(minutes):
    return minutes['route'] + minutes.get('refined', 0)


def sweep_table(rows):
    heads = ['config', 'seeds', 'LUT4', 'FF', 'EBR', 'MULT18', 'LUT4 per lane', 'Fmax median',
             'Fmax best', 'place and route, min', 'GB']
    lines = []
    for config in dict.fromkeys(r['config'] for r in rows):
        some = [r for r in rows if r['config'] == config]
        clocks = [r['fmax_least'] for r in some]
        first = some[0]
        lines.append([config or first['design'], len(some), first['lut4'], first['ff'], first['ebr'],
                      first['mult18'], first['lut4_per_lane'] or '-',
                      f'{statistics.median(clocks):.1f}', f'{max(clocks):.1f}',
                      f'{statistics.median(placed_routed(r["minutes"]) for r in some):.1f}',
                      f'{max(r["memory_gb"] for r in some):.1f}'])
    return table(heads, lines)

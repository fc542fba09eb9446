"""What the next placement of a design learns from one that nextpnr wrote: JSON {"sites": {cell: site},
"crowded": [[x, y]...], "wire": [tiles before, after]}."""
import json

import netlist
import sites
import spread


def learn(placed, device, hints):
    print('reading', flush=True)
    _, top = netlist.load(placed)
    told = {'sites': {}, 'crowded': []}
    if sites.known(device):
        told['sites'], *told['wire'] = sites.choose(
            top, device, lambda phase, wire: print(f'phase {phase} of {sites.PHASES}: {wire}', flush=True))
    if device in spread.SLICES:
        told['crowded'] = spread.crowded(top, device)
    with open(hints, 'w', encoding='utf-8') as f:
        json.dump(told, f)

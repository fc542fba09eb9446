"""How a design is treated, by its size in LUT4."""
import sites
import spread

PLACEMENTS = 3  # of a large design
LEARN_SEED = 1  # of all but the last of them: what they tell serves every seed, and takes as long as the rest
# LUT4 above which er_refine and er_route have other options (EXPERIMENTS.md). The fuller the device, the dearer
# wire where it is crowded; paths that are short enough give way.
OPTIONS = [(spread.MOST, ['trees=1', 'crowded=60', 'price=24', 'polish=40', 'aim=18.5'],
            ['aim=19.6', 'other=19.6', 'growth=1.12', 'passes=400']),
           (48000, ['price=20'], []),
           (0, [], [])]


def plan(device, lut4, spreading='auto'):
    """spreading: 'yes', 'no', or 'auto' for where there is room. ValueError: an unknown device."""
    if not sites.known(device):
        raise ValueError(f'the sites of {device} are not known')
    spaced = spreading == 'yes' or spreading == 'auto' and spread.wanted(lut4, device)
    if spaced and device not in spread.SLICES:
        raise ValueError(f'the slices of {device} are not known')
    refine, route = next(options for least, *options in OPTIONS if lut4 > least or not least)
    return {'spread': spaced, 'placements': PLACEMENTS if spaced or lut4 >= spread.LARGE else 1,
            'learn_seed': LEARN_SEED, 'refine': refine, 'route': route}

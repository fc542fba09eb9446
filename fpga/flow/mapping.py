"""abc9's mapping for ECP5, in the words of its scripts, as the flow (stages.py) and the area tool
(tools/yosys_rtl.py) use it: choices between structures that suit look-up tables, one mapping within the
delay aimed at, don't cares."""
MAP = '&if,-m,{W},{D},{R},-v;&mfs'
STRUCTURE = f'&synch2,-K,6,-C,500;{MAP}'

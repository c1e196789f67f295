from rw import *
def rlock2(n, x=0): return [('A', x, ACQ, -1, 'a' + n), 'rt%s:' % n, ('B', 'a' + n, '<', 1, 'rf%s' % n), ('J', 're%s' % n), 'rf%s:' % n, ('A', x, RLX, 1, 'd' + n), 'rw%s:' % n, ('R', x, RLX, 'w' + n), ('B', 'w' + n, '<', 1, 'rw%s' % n), ('A', x, ACQ, -1, 'a' + n), ('J', 'rt%s' % n), 're%s:' % n]
def wlock2(n, x=0): return [('A', x, ACQ, -BIAS, 'a' + n), 'wt%s:' % n, ('B', 'a' + n, '==', BIAS, 'we%s' % n), ('A', x, RLX, BIAS, 'd' + n), 'ww%s:' % n, ('R', x, RLX, 'w' + n), ('B', 'w' + n, '!=', BIAS, 'ww%s' % n), ('A', x, ACQ, -BIAS, 'a' + n), ('J', 'wt%s' % n), 'we%s:' % n]
d2 = asm(rlock2('1') + [('R', 1, NA, 's')] + unlock(1) + wlock2('2') + [('W', 1, NA, 1)] + unlock(BIAS))
report('driver, two sites', lambda: prog([d2] * 2, outs=[['s'], ['s']]), ('awbhpsn', 'awbhpsnz', 'awbhpsnzy'), 90)

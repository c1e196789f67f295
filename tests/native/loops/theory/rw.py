import sys, time
import zref as Z
from zref import *
def asm(lines):
    """labels: 'name:' strings; targets by name"""
    at, out = {}, []
    for l in lines:
        if isinstance(l, str): at[l[:-1]] = len(out)
        else: out.append(l)
    f = lambda x: at[x] if isinstance(x, str) and x in at else x
    return [('J', f(i[1])) if i[0] == 'J' else i[:4] + (f(i[4]),) if i[0] == 'B' else i for i in out]
BIAS = 4
def rlock(n, x=0): return ['rl%s:' % n, ('A', x, ACQ, -1, 'a' + n), ('B', 'a' + n, '<', 1, 'rf%s' % n), ('J', 're%s' % n), 'rf%s:' % n, ('A', x, RLX, 1, 'd' + n), 'rw%s:' % n, ('R', x, RLX, 'w' + n), ('B', 'w' + n, '<', 1, 'rw%s' % n), ('J', 'rl%s' % n), 're%s:' % n]
def wlock(n, x=0): return ['wl%s:' % n, ('A', x, ACQ, -BIAS, 'a' + n), ('B', 'a' + n, '==', BIAS, 'we%s' % n), ('A', x, RLX, BIAS, 'd' + n), 'ww%s:' % n, ('R', x, RLX, 'w' + n), ('B', 'w' + n, '!=', BIAS, 'ww%s' % n), ('J', 'wl%s' % n), 'we%s:' % n]
def unlock(k, x=0, d='u'): return [('A', x, REL, k, d)]
def driver(body=True):
    c = rlock('1') + ([('R', 1, NA, 's')] if body else []) + unlock(1) + wlock('2') + ([('W', 1, NA, 1)] if body else []) + unlock(BIAS)
    return asm(c)
def prog(threads, k=4, outs=None, nloc=3, init=None): return Program(threads, nloc, outs or [[] for _ in threads], k, init=init or [BIAS] + [0] * (nloc - 1))
def report(name, mk, sets=('awbhpsn', 'awbhpsnz'), lim=60):
    ref = None
    for rs in sets:
        t0 = time.time(); p = mk(); x = rounds(p, rs, time.time() + lim)
        o = (x.outcomes, x.races); d = '' if ref is None or x.timed_out else 'SAME' if o == ref else 'DIFFERENT lost %s' % sorted(ref[0] - o[0])[:3]
        if ref is None and not x.timed_out: ref = o
        print('%-28s %-10s %s%d + %d blocked, %d cut; rounds %d, off %s; %d outcomes %d races %s %s %.1fs' % (name, rs or 'none', '>' if x.timed_out else '', len(x.classes), x.blockedlist, x.cuts, x.rounds, p.zoff, len(x.outcomes), len(x.races), d, x.cutkinds, time.time() - t0), flush=True)
if __name__ == '__main__':
    report('driver, s observed', lambda: prog([driver()] * 2, outs=[['s'], ['s']]))
    report('driver k=3', lambda: prog([driver()] * 2, k=3, outs=[['s'], ['s']]))
    report('driver k=2, unreduced', lambda: prog([driver()] * 2, k=2, outs=[['s'], ['s']]), ('', 'awbhpsn', 'awbhpsnz'), 120)

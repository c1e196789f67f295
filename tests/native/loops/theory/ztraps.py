"""Traps of rule Z: each with the right rule (must be ok), and with the mutations that it must catch."""
import sys, time
import zref as Z
from zref import *
from rw import asm, rlock, wlock, unlock, BIAS
X, Y, F, D = range(4)
R = 'awbhpsnz'; T = []
def trap(name, muts, threads, outs, init, k=3, expect_off=None): T.append((name, muts, [asm(t) for t in threads], outs, init, k, expect_off))
# take 1 of x while x <= 0, give back
def poll(n, ok=1, k=-1, wait=True, ret='b'):
    return ['t%s:' % n, ('A', X, ACQ, k, 'a' + n), ('B', 'a' + n, '==', ok, 'e%s' % n), ('A', X, RLX, -k, ret + n), ('J', 't%s' % n), 'e%s:' % n]
# 1 a thread reads the middle value and reports it
trap('Z1 the middle value is reported', ['nofacts'], [poll('1'), [('R', X, RLX, 'm'), ('W', X, RLX, 1)]], [[], ['m']], [0, 0, 0, 0])
# 2 a try_lock fails because of it (fallback)
trap('Z2 a try fails because of it, and falls back', ['nochain', 'nosens'], [poll('1', ok=2),
    [('A', X, RLX, 1, 'u'), ('A', X, RLX, -1, 'v'), ('B', 'v', '==', 1, 'ok'), ('W', Y, RLX, 1), 'ok:', ('W', X, RLX, 2)]], [[], []], [0, 0, 0, 0], 3)
# 3 a fetch_add between the two whose result is reported
trap('Z3 the result of an RMW between is reported', ['nochain', 'nosens'], [poll('1'), [('A', X, REL, 1, 'u')]], [[], ['u']], [0, 0, 0, 0])
# 4 an exchange between the two, which the second half then adds to; the loop looks at F first
def poll3(n): return ['t%s:' % n, ('R', F, RLX, 'f' + n), ('B', 'f' + n, '==', 1, 'e%s' % n), ('A', X, RLX, -1, 'a' + n), ('A', X, RLX, 1, 'b' + n), ('J', 't%s' % n), 'e%s:' % n]
trap('Z4 an exchange between', ['nochain'], [poll3('1'), [('X', X, RLX, 5, 'q'), ('W', F, RLX, 1)]], [[], []], [0, 0, 0, 0])
# 5 relaxed: the reader waits for what the thread does after the turn, and reads the middle then
trap('Z5 the reader waits for what follows the turn', ['nocounter'], [poll('1') + [('W', F, RLX, 1)],
    ['w:', ('R', F, RLX, 'f'), ('B', 'f', '==', 0, 'w'), ('R', X, RLX, 'm')], [('W', X, RLX, 1)]], [[], ['m'], []], [0, 0, 0, 0], 2)
# 6 a loop of two reads, left by the other one
trap('Z6 a loop that keeps the middle value, left by another read', ['nocounter'], [poll('1') + [('W', F, RLX, 1)],
    ['w:', ('R', X, RLX, 'm'), ('R', F, RLX, 'f'), ('B', 'f', '==', 0, 'w')], [('W', X, RLX, 1)]], [[], ['m'], []], [0, 0, 0, 0], 2)
# 7 only one half is left: gives back another amount
trap('Z7 gives back another amount', ['anyamount'], [['t:', ('A', X, ACQ, -1, 'a'), ('B', 'a', '==', 1, 'e'), ('A', X, RLX, 2, 'b'), ('J', 't'), 'e:'], [('A', X, RLX, 1, 'm')]], [[], []], [0, 0, 0, 0])
# 8 the result of the give-back is kept
trap('Z8 the result of giving back is reported', [], [poll('1', ret='b'), [('A', X, REL, 1, 'u')]], [['b1'], []], [0, 0, 0, 0])
# 9 two pairs of two threads: a load that tolerates each alone, but not both, and waits for what follows both turns
trap('Z9 a load that tolerates one pair, not two', ['nolattice'], [poll3('1') + [('W', Y, RLX, 1)], poll3('2') + [('W', D, RLX, 1)],
    [('W', F, RLX, 1), 'w:', ('R', Y, RLX, 'y'), ('B', 'y', '==', 0, 'w'), 'v:', ('R', D, RLX, 'd'), ('B', 'd', '==', 0, 'v'), ('R', X, RLX, 'm'), ('M', 'r', 0), ('B', 'm', '<', -1, 'l'), ('J', 'e'), 'l:', ('M', 'r', 1), 'e:']], [[], [], ['r']], [0, 0, 0, 0], 2)
# 10 a try fails because of a turn that takes and gives back
trap('Z10 a try fails because of it, and reports that', ['nochain', 'nosens'], [poll3('1'), [('A', X, RLX, -1, 'v'), ('M', 'r', 0), ('B', 'v', '==', 1, 'ok'), ('M', 'r', 1), 'ok:', ('W', F, RLX, 1)]], [[], ['r']], [1, 0, 0, 0])
# 11 a load outside any loop decides
trap('Z11 a load decides by the middle value', ['nofacts'], [poll('1'), [('R', X, RLX, 'm'), ('B', 'm', '==', -1, 'l'), ('J', 'e'), 'l:', ('W', Y, RLX, 1), 'e:', ('W', X, RLX, 1)]], [[], []], [0, 0, 0, 0])
# 12 failed compare-exchange reads the middle
trap('Z12 a failed compare-exchange reads it', ['nofacts'], [poll('1'), [('M', 'e', 5), ('C', X, RLX, RLX, 'e', 6, 'ok', False), ('W', X, RLX, 1)]], [[], ['e']], [0, 0, 0, 0])
# 13 a successful compare-exchange between
trap('Z13 a compare-exchange succeeds on it', ['nochain'], [poll3('1'), [('M', 'e', -1), ('C', X, RLX, RLX, 'e', 3, 'ok', False), ('W', F, RLX, 1)]], [[], []], [0, 0, 0, 0])
# fine: RW locks with try that is retried
trap('Z14 (fine) unlock between, waiting writer', [], [rlock('1') + unlock(1), wlock('2') + [('W', Y, RLX, 1)] + unlock(BIAS)], [[], []], [BIAS, 0, 0, 0], 3, set())
# 15 a compare-exchange that succeeds without the turn fails because of it, and waits for what follows the turn
trap('Z15 a compare-exchange that succeeds would fail', ['nosuccess'], [poll3('1') + [('W', Y, RLX, 1)],
    [('W', F, RLX, 1), 'w:', ('R', Y, RLX, 'y'), ('B', 'y', '==', 0, 'w'), ('M', 'e', 0), ('C', X, RLX, RLX, 'e', 6, 'ok', False)]], [[], ['ok']], [0, 0, 0, 0])
if __name__ == '__main__':
    for name, muts, th, outs, init, k, off in T:
        if len(sys.argv) > 1 and sys.argv[1] not in name: continue
        p = Program(th, 4, outs, k, init=init); g = compare(p, R, 60)
        print('%-62s right     %s %s off %s %s' % (name, g[0] or 'ok', g[1], p.zoff, '' if getattr(p, 'zhit', 0) else '(no pair cut)'), flush=True)
        for m in muts:
            Z.MUT.clear(); Z.MUT |= {'nodirect', 'nocounter'} if m == 'nofacts' else {m}
            p = Program(th, 4, outs, k, init=init); w = compare(p, R, 60); Z.MUT.clear()
            print('%-62s %-9s %s %s' % ('', m, w[0] or 'NOT CAUGHT', w[1]), flush=True)

import sys; from rw import *
def futex(n=''):
    return asm([('M', 's', 0), ('C', 0, ACQ, RLX, 's', 1, 'ok', False), ('B', 'ok', '==', 1, 'in'), ('B', 's', '==', 2, 'w'), ('X', 0, ACQ, 2, 's'), 'l:', ('B', 's', '==', 0, 'in'),
      'w:', ('R', 0, RLX, 'q'), ('B', 'q', '==', 2, 'w'), ('X', 0, ACQ, 2, 's'), ('J', 'l'), 'in:', ('R', 1, NA, 'c'), ('W', 1, NA, ('c', 1)), ('A', 0, REL, -1, 'u'), ('B', 'u', '==', 1, 'e'), ('W', 0, REL, 0), 'e:'])
def futex2(n=''):   # one exchange in the code
    return asm([('M', 's', 0), ('C', 0, ACQ, RLX, 's', 1, 'ok', False), ('B', 'ok', '==', 1, 'in'), ('B', 's', '!=', 2, 'x'),
      'w:', ('R', 0, RLX, 'q'), ('B', 'q', '==', 2, 'w'), 'x:', ('X', 0, ACQ, 2, 's'), ('B', 's', '!=', 0, 'w'), 'in:', ('R', 1, NA, 'c'), ('W', 1, NA, ('c', 1)), ('A', 0, REL, -1, 'u'), ('B', 'u', '==', 1, 'e'), ('W', 0, REL, 0), 'e:'])
n = int(sys.argv[1])
for f in (futex, futex2):
    report(f.__name__ + ' %d' % n, lambda: Program([f()] * n, 2, [[] for _ in range(n)], 6), sys.argv[3:], float(sys.argv[2]))

import sys, time, random
import zref as Z
from zref import *
from rw import asm
X, Y, F, D = range(4)
def random_z(rng, sc=False, plain=True):
    n = [0]; outs = [[] for _ in range(3)]
    def reg(): n[0] += 1; return 'r%d' % n[0]
    def lab(): n[0] += 1; return 'L%d' % n[0]
    O = lambda *o: rng.choice(list(o) + ([SC] if sc else []))
    lo = lambda: O(RLX, RLX, ACQ); so = lambda: O(RLX, REL); ro = lambda: O(RLX, ACQ, REL, AR)
    init = rng.choice([0, 0, 1, 2])
    def maybe(t, r, p=.3):
        if rng.random() < p: outs[t].append(r)
    def cond(r, target):            # leave to target
        z = rng.random()
        if z < .5: return [('B', r, '==', rng.choice([0, 1, 1, 2, 3]), target)]
        if z < .75: l = lab(); return [('B', r, '<', rng.choice([0, 1, 1, 2]), l), ('J', target), l + ':']
        return [('B', r, '!=', rng.choice([0, 1, 2]), target)]
    def extra(t):
        z = rng.random()
        if z < .45: return []
        if z < .6: r = reg(); maybe(t, r); return [('R', Y, lo(), r)]
        if z < .7: return [('F', O(ACQ, REL, AR))]
        if z < .85: r = reg(); maybe(t, r, .5); return [('R', X, lo(), r)]
        if plain: return [('R', D, NA, reg())]
        return []
    def zloop(t):
        top, out, w = lab(), lab(), lab(); k = rng.choice([1, -1, -1, -2, 2]); a, b, q = reg(), reg(), reg()
        maybe(t, a, .12); maybe(t, b, .12)
        if rng.random() < .25:                                      # the first try is elsewhere in the code
            o1, o2 = ro(), ro(); mid = lab(); c = [('A', X, o1, k, a), mid + ':'] + cond(a, out) + [('A', X, o2, -k, b)]
            if rng.random() < .5: c += [w + ':', ('R', X, lo(), q), ('B', q, rng.choice(['==', '!=']), rng.choice([0, 1]), w)]
            c += [('A', X, o1 if rng.random() < .8 else ro(), k, a), ('J', mid), out + ':']
            if rng.random() < .5: c += [('A', X, ro(), -k, reg())]
            return c
        c = [top + ':', ('A', X, ro(), k, a)]
        style = rng.random()
        if style < .75: c += cond(a, out)
        c += extra(t) if rng.random() < .3 else []
        c += [('A', X, ro(), -k if rng.random() < .95 else -k + 1, b)]
        if style >= .6: c += cond(b, out) if rng.random() < .3 else []
        z = rng.random()
        if z < .35: c += [w + ':', ('R', X, lo(), q)]; maybe(t, q, .12); c += cond(q, top) + [('J', w)]
        elif z < .55 or style >= .75: c += [('R', F, lo(), q)]; maybe(t, q, .1); c += [('B', q, '==', 1, out)] + [('J', top)]
        else: c += [('J', top)]
        c += [out + ':']
        if rng.random() < .5: r = reg(); maybe(t, r, .2); c += [('A', X, ro(), -k, r)]
        if rng.random() < .35: c += [rng.choice([('W', F, so(), 1), ('W', Y, so(), 1)] + ([('W', D, NA, 1)] if plain else []))]
        return c
    def wait(t):
        z = rng.random(); w = lab(); r = reg()
        l = rng.choice([Y, F])
        if z < .7: return [w + ':', ('R', l, lo(), r), ('B', r, '==', 0, w)]
        q = reg(); maybe(t, q, .8); return [w + ':', ('R', X, lo(), q), ('R', l, lo(), r), ('B', r, '==', 0, w)]
    def straight(t):
        z = rng.random(); r = reg()
        if z < .22: maybe(t, r, .8); return [('R', X, lo(), r)]
        if z < .5: maybe(t, r, .2); return [('A', X, ro(), rng.choice([1, 1, -1, 2, -2]), r)]
        if z < .57: return [('W', X, so(), rng.choice([0, 1, 2]))]
        if z < .62: maybe(t, r, .4); return [('X', X, ro(), rng.choice([0, 1]), r)]
        if z < .68: e = reg(); maybe(t, r, .5); maybe(t, e, .5); return [('M', e, rng.choice([0, 1, 2])), ('C', X, ro(), lo(), e, rng.choice([1, 3]), r, False)]
        if z < .75: out = lab(); c = [('A', X, ro(), -1, r)] + cond(r, out) + [('A', X, RLX, 1, reg()), ('W', Y, so(), 2), out + ':']; return c
        if z < .88: return [('W', rng.choice([F, F, Y]), so(), 1)]
        if z < .95: maybe(t, r, .8); return [('R', rng.choice([Y, F]), lo(), r)]
        return [('W', D, NA, 1)] if plain else []
    nt = rng.choice([2, 2, 2, 3]); codes = []; second = False
    for t in range(nt):
        z = rng.random(); c = []
        if t == 0:
            if rng.random() < .2: c += straight(t)
            c += zloop(t)
            if rng.random() < .2: c += straight(t)
        else:
            if z < .3 and nt == 2: c += straight(t) if rng.random() < .2 else []; c += zloop(t); second = True
            elif z < .55: c += wait(t) + straight(t) + (straight(t) if rng.random() < .4 and nt == 2 else [])
            else:
                for _ in range(rng.choice([1, 2, 3, 3] if nt == 2 else [1, 1, 2])): c += straight(t)
        codes.append(asm(c))
    return Program(codes, 4, outs[:nt], 2 if second or nt == 3 or rng.random() < .6 else 3, init=[init, 0, 0, 0])
if __name__ == '__main__':
    seed, count, rules, opt, limit, shown = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], float(sys.argv[5]), int(sys.argv[6]) if len(sys.argv) > 6 else 2
    for o in opt.split(','):
        if o.startswith('mut='): Z.MUT.add(o[4:])
    rng = random.Random(seed); tot = [0, 0, 0]; skipped = bad = done = hit = offs = idle = 0; kinds = {}; t0 = time.time()
    for j in range(count):
        if time.time() - t0 > limit: break
        p = random_z(rng, 'sc' in opt.split(','), 'noplain' not in opt); q = rounds(p, rules, time.time() + .8)
        if q.timed_out: skipped += 1; continue
        if not p.zhit and not p.zoff: idle += 1; continue
        pr, c = compare(p, rules, 1.6)
        if pr == 'skip': skipped += 1; continue
        done += 1; tot = [a + b for a, b in zip(tot, c)]; offs += bool(p.zoff)
        if not p.zoff and getattr(p, 'zhit', False): hit += 1
        if pr:
            for x in pr: kinds[x.split(':')[0].split(' ')[0]] = kinds.get(x.split(':')[0].split(' ')[0], 0) + 1
            bad += 1
            if bad <= shown: print('#', j, pr, c, 'off', p.zoff, 'k', p.k, 'init', p.init); show(p)
    print(f'seed {seed} {opt} {rules}: {done} programs ({skipped} too large, {idle} without a turn of the kind), classes {tot[0]} -> {tot[1]} (+{tot[2]} blocked), refuted in {offs}, pairs left out in {hit}, {bad} with problems {kinds}, {time.time()-t0:.0f}s', flush=True)

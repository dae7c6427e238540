#!/usr/bin/env python3
"""Recomputes a match's report from its journal, by the formulas of docs/match.md.

    pontifex match --merge JOURNAL --json | recompute.py JOURNAL

Shares no code with pontifex. Exits with 1 and says which number differs.
"""

import json
import math
import sys
from collections import Counter, defaultdict

SCORES = [i / 4 for i in range(5)]


def support(counts, mean):
    """The largest log-likelihood of counts under a distribution with this mean, minus
    the largest under any."""
    steps = [score - mean for score in SCORES]
    # p_i = n_i / (n (1 + x step_i)); scores without a pair may take what is left.
    low, high = -1 / max(steps), -1 / min(steps)
    slope = lambda x: sum(n * s / (1 + x * s) for n, s in zip(counts, steps) if n)
    inside = 1e-12 * (high - low)
    low, high = low + inside, high - inside
    for _ in range(200):
        x = (low + high) / 2
        if slope(x) > 0:
            low = x
        else:
            high = x
    return -sum(n * math.log1p(x * s) for n, s in zip(counts, steps) if n)


def student_cdf(t, degrees):
    """Student's distribution function, by Simpson's rule."""
    if degrees == 0:
        return 0.5
    constant = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))
    density = lambda x: constant / math.sqrt(degrees * math.pi) * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
    steps = 2000
    width = abs(t) / steps
    total = density(0) + density(abs(t))
    total += sum((4 if i % 2 else 2) * density(i * width) for i in range(1, steps))
    return 0.5 + math.copysign(total * width / 3, t)


def student_95(degrees):
    if degrees == 0:
        return math.inf
    low, high = 0.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_cdf(middle, degrees) < 0.975 else (low, middle)
    return low


def elo(score):
    return 400 * math.log10(score / (1 - score))


def interval_end(counts, score, limit, need):
    """The mean between score and limit at which twice the support falls by need, or None."""
    if -2 * support(counts, limit) <= need:
        return None
    inside, outside = score, limit
    for _ in range(100):
        middle = (inside + outside) / 2
        if -2 * support(counts, middle) < need:
            inside = middle
        else:
            outside = middle
    return inside


def pairing(games):
    """The numbers of a pairing, for its first engine."""
    a = games[0]["a"]
    points = lambda game: 1 if game["winner"] == a else 0.5 if game["winner"] is None else 0
    rounds = defaultdict(list)
    for game in games:
        rounds[game["round"]].append(game)
    whole = [both for both in rounds.values() if len(both) == 2]
    of_pairs = Counter(round(2 * sum(map(points, both))) for both in whole)
    counts = [of_pairs[half] for half in range(5)]
    found = {
        "games": len(games),
        "wins": sum(points(game) == 1 for game in games),
        "draws": sum(points(game) == 0.5 for game in games),
        "losses": sum(points(game) == 0 for game in games),
        "pentanomial": counts,
    }
    pairs = len(whole)
    if pairs == 0:
        return found, counts
    most = 1 - 0.5 / (2 * pairs + 1)
    plain = sum(n * s for n, s in zip(counts, SCORES)) / pairs
    score = min(max(plain, 1 - most), most)
    need = student_95(pairs - 1) ** 2
    if sum(n > 0 for n in counts) == 1:
        need = max(need, 2 * math.log(40))
    ends = [interval_end(counts, score, limit, need) for limit in (1 - most, most)]
    found["elo"] = elo(score)
    found["elo_low"], found["elo_high"] = [None if end is None else elo(end) for end in ends]
    variance = sum(n * (s - plain) ** 2 for n, s in zip(counts, SCORES)) / pairs
    if variance > 0:
        found["nelo"] = (plain - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)
    root = math.sqrt(max(0, -2 * support(counts, 0.5)))
    found["los"] = student_cdf(math.copysign(root, plain - 0.5), pairs - 1)
    margins = []
    for both in whole:
        if all(game["reason"] == "score" for game in both):
            sides = []
            for game in both:
                white, red = (points[0] for points in game["scores"])
                is_white = (game["white"] == a) != game["swapped"]
                sides.append(white - red if is_white else red - white)
            margins.append(sum(sides) / 2)
    if margins:
        found["margin"] = sum(margins) / len(margins)
    if len(margins) > 1:
        mean, n = found["margin"], len(margins)
        error = math.sqrt(sum((m - mean) ** 2 for m in margins) / (n - 1) / n)
        reach = student_95(n - 1) * error
        found["margin_low"], found["margin_high"] = mean - reach, mean + reach
    return found, counts


def ratings(names, tallies):
    """Joint ratings, mean 0, with one drawn game added to every pairing."""
    rating = dict.fromkeys(names, 0.0)
    for _ in range(20000):
        slope = dict.fromkeys(names, 0.0)
        weight = dict.fromkeys(names, 1e-9)
        for (a, b), counts in tallies.items():
            games = 2 * sum(counts) + 1
            points = 2 * sum(n * s for n, s in zip(counts, SCORES)) + 0.5
            expected = 1 / (1 + math.exp(rating[b] - rating[a]))
            for name, sign in ((a, 1), (b, -1)):
                slope[name] += sign * (points - games * expected)
                weight[name] += games * expected * (1 - expected)
        for name in names:
            rating[name] += 0.5 * slope[name] / weight[name]
        if max(abs(value) for value in slope.values()) < 1e-10:
            break
    mean = sum(rating.values()) / len(names)
    return {name: (value - mean) * 400 / math.log(10) for name, value in rating.items()}


def engine(name, games):
    """The time use and the failures of an engine."""
    seconds, overheads = [], []
    failures = Counter()
    for game in games:
        other = game["b"] if game["white"] == game["a"] else game["a"]
        if name not in (game["white"], other):
            continue
        seat = 0 if game["white"] == name else 1
        own = enumerate(game["seconds"])
        seconds += [time for n, time in own if n >= game["opening_moves"] and n % 2 == seat]
        overheads += game["overheads"][seat]
        failure = game.get("failure")
        if failure and failure["engine"] == name:
            failures[failure["kind"]] += 1
    overheads.sort()
    return {
        "games": sum(name in (game["a"], game["b"]) for game in games),
        "moves": len(seconds),
        "seconds": sum(seconds),
        "median_overhead": overheads[len(overheads) // 2] if overheads else None,
        "worst_overhead": overheads[-1] if overheads else None,
        "failures": dict(failures),
    }


def compare(what, found, told):
    wrong = []
    for key, value in found.items():
        said = told.get(key)
        if isinstance(value, float) and isinstance(said, (int, float)):
            # The quantile of Student's distribution is an expansion, 0.1 % off at worst.
            is_same = abs(value - said) <= 2e-3 * max(1, abs(value))
        else:
            is_same = value == said
        if not is_same:
            wrong.append(f"{what}: {key} is {said}, recomputed {value}")
    return wrong


def main():
    with open(sys.argv[1], encoding="utf-8") as journal:
        config, *games = [json.loads(line) for line in journal]
    told = json.load(sys.stdin)
    wrong, tallies = [], {}
    for entry in told["pairings"]:
        key = (entry["a"], entry["b"])
        of_pairing = [game for game in games if (game["a"], game["b"]) == key]
        found, counts = pairing(of_pairing)
        if sum(counts):
            tallies[key] = counts
        wrong += compare(" - ".join(key), found, entry)
    names = [engine["name"] for engine in config["config"]["engines"]]
    rated = ratings(names, tallies)
    for entry in told["engines"]:
        name = entry["name"]
        wrong += compare(name, engine(name, games), entry)
        rating = entry["rating"]
        wrong += compare(name, {"elo": rated[name]}, rating)
        if not rating["low"] <= rating["elo"] <= rating["high"]:
            wrong.append(f"{name}: {rating}")
    print("\n".join(wrong) or f"{len(games)} games: all numbers agree")
    sys.exit(bool(wrong))


main()

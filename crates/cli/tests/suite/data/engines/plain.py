#!/usr/bin/env python3
"""A foreign engine: it speaks the eleven commands that GTP requires, plus
undo, and plays random legal moves by rules of its own.

Usage: plain.py [SEED [swaps]]

With `swaps` it answers the first turn of a game by swapping.
"""

import random
import sys

BRIDGES = [(2, 0), (0, 2), (2, 2), (2, -2), (1, 2), (1, -2), (2, 1), (2, -1)]
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
SUPPLY = {10: (40, 15), 12: (60, 22)}


def span(a, b):
    """The cells under a bridge."""
    (ax, ay), (bx, by) = a, b
    sx, sy = ax + bx, ay + by
    xs = {sx // 2, (sx + 1) // 2} if abs(ax - bx) == 1 else {sx // 2}
    ys = {sy // 2, (sy + 1) // 2} if abs(ay - by) == 1 else {sy // 2}
    return {(x, y) for x in xs for y in ys}


def cross(a, b, c, d):
    """Whether the open segments a-b and c-d intersect."""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def name(cell):
    return "abcdefghijkl"[cell[0]] + str(cell[1] + 1)


class Board:
    def __init__(self, size):
        self.size = size
        self.tiles = {"w": set(), "r": set()}
        self.bridges = []
        self.blocked = set()
        self.supply = SUPPLY.get(size, (10**6, 10**6))

    def copy(self):
        other = Board(self.size)
        other.tiles = {color: set(cells) for color, cells in self.tiles.items()}
        other.bridges, other.blocked = list(self.bridges), set(self.blocked)
        return other

    def group(self, color, cell):
        """The tiles of a colour joined to a cell by their sides."""
        mine, found, todo = self.tiles[color], {cell}, [cell]
        while todo:
            x, y = todo.pop()
            for dx, dy in SIDES:
                near = (x + dx, y + dy)
                if near in mine and near not in found:
                    found.add(near)
                    todo.append(near)
        return found

    def allows_tile(self, color, cell):
        x, y = cell
        if not (0 <= x < self.size and 0 <= y < self.size):
            return False
        if cell in self.tiles["w"] or cell in self.tiles["r"] or cell in self.blocked:
            return False
        mine, group = self.tiles[color], self.group(color, cell)
        if len(group) > 4:
            return False
        if len(group) == 4:
            halo = {(x + dx, y + dy) for x, y in group for dx, dy in AROUND}
            return not (halo & mine) - group
        touched = {(x + dx, y + dy) for dx, dy in AROUND} & mine - group
        return all(len(self.group(color, other)) < 4 for other in touched)

    def allows_pair(self, color, a, b):
        if len(self.tiles[color]) + 2 > self.supply[0] or not self.allows_tile(color, a):
            return False
        self.tiles[color].add(a)
        allowed = self.allows_tile(color, b)
        self.tiles[color].remove(a)
        return allowed

    def allows_bridge(self, color, a, b):
        dx, dy = b[0] - a[0], b[1] - a[1]
        if (dx, dy) not in BRIDGES and (-dx, -dy) not in BRIDGES:
            return False
        if len(self.bridges) >= self.supply[1] or not {a, b} <= self.tiles[color]:
            return False
        if any(end in bridge for bridge in self.bridges for end in (a, b)):
            return False
        if span(a, b) & (self.tiles["w"] | self.tiles["r"]):
            return False
        return not any(cross(a, b, *bridge) for bridge in self.bridges)

    def bridges_of(self, color):
        for x, y in sorted(self.tiles[color]):
            for dx, dy in BRIDGES:
                if self.allows_bridge(color, (x, y), (x + dx, y + dy)):
                    yield (x, y), (x + dx, y + dy)

    def random_pair(self, color, rng):
        cells = [(x, y) for x in range(self.size) for y in range(self.size)]
        cells = [cell for cell in cells if self.allows_tile(color, cell)]
        rng.shuffle(cells)
        for i, a in enumerate(cells):
            for b in cells[i + 1 :]:
                if self.allows_pair(color, a, b):
                    return a, b
        return None

    def build(self, a, b):
        self.bridges.append((a, b))
        self.blocked |= span(a, b)

    def play(self, color, move):
        """Makes a move. Returns whether it is legal."""
        if move == "swap":
            return True
        if move == "pass":
            return self.random_pair(color, random.Random(0)) is None
        kind = "," if "," in move else "-"
        try:
            a, b = (("abcdefghijkl".index(c[0]), int(c[1:]) - 1) for c in move.split(kind))
        except ValueError:
            return False
        if kind == "," and self.allows_pair(color, a, b):
            self.tiles[color] |= {a, b}
            return True
        if kind == "-" and self.allows_bridge(color, a, b):
            self.build(a, b)
            return True
        return False

    def move(self, color, rng):
        """Makes a random move."""
        pair = self.random_pair(color, rng)
        bridges = list(self.bridges_of(color))
        if bridges and (pair is None or rng.random() < 0.3):
            a, b = rng.choice(bridges)
            self.build(a, b)
            return name(a) + "-" + name(b)
        if pair is None:
            return "pass"
        self.tiles[color] |= set(pair)
        return name(pair[0]) + "," + name(pair[1])


class Engine:
    def __init__(self, seed=None, *more):
        self.swaps = "swaps" in more
        self.rng = random.Random(seed)
        self.board = Board(10)
        self.history = []
        self.commands = {
            command[4:]: getattr(self, command)
            for command in dir(self)
            if command.startswith("gtp_")
        }

    def gtp_protocol_version(self):
        return "2"

    def gtp_name(self):
        return "Plain"

    def gtp_version(self):
        return "1"

    def gtp_known_command(self, command):
        return "true" if command in self.commands else "false"

    def gtp_list_commands(self):
        return "\n".join(sorted(self.commands))

    def gtp_quit(self):
        return ""

    def gtp_boardsize(self, size):
        if not 4 <= int(size) <= 12:
            raise ValueError("unacceptable size")
        self.board = Board(int(size))
        self.history = []
        return ""

    def gtp_clear_board(self):
        return self.gtp_boardsize(self.board.size)

    def gtp_komi(self, _):
        return ""

    def gtp_play(self, color, move):
        before = self.board.copy()
        if not self.board.play(self.color(color), move.lower()):
            raise ValueError("illegal move")
        self.history.append(before)
        return ""

    def gtp_genmove(self, color):
        self.history.append(self.board.copy())
        if self.swaps and len(self.history) == 2:
            return "swap"
        return self.board.move(self.color(color), self.rng)

    def gtp_undo(self):
        if not self.history:
            raise ValueError("cannot undo")
        self.board = self.history.pop()
        return ""

    @staticmethod
    def color(text):
        return {"w": "w", "white": "w", "b": "r", "black": "r"}[text.lower()]

    def answer(self, words):
        if words[0] not in self.commands:
            return "?", "unknown command"
        try:
            return "=", self.commands[words[0]](*words[1:])
        except (TypeError, KeyError, IndexError):
            return "?", "syntax error"
        except ValueError as error:
            return "?", str(error)

    def send(self, sign, number, text):
        sys.stdout.write(f"{sign}{number} {text}".rstrip() + "\n\n")
        sys.stdout.flush()

    def run(self):
        for line in sys.stdin:
            words = line.split("#")[0].split()
            number = words.pop(0) if words and words[0].isdigit() else ""
            if words:
                self.send(*self.respond(number, words))
                if words[0] == "quit":
                    break

    def respond(self, number, words):
        sign, text = self.answer(words)
        return sign, number, text


if __name__ == "__main__":
    Engine(*[int(seed) for seed in sys.argv[1:2]], *sys.argv[2:]).run()

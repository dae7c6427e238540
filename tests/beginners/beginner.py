#!/usr/bin/env python3
"""Scripted beginners: players of rising skill that the levels are measured
against. They speak GTP and know the rules by themselves.

Usage: beginner.py KIND [SEED]

KIND    what it does
random  any legal move, all equally likely
greedy  builds the bridge that scores most; otherwise completes islands and
        grows groups; looks at nothing else
linker  the same, and places tiles where they can be bridged to its islands
hinder  the same, and places tiles where they stop the opponent's best bridge
        or the completion of an island

None of them looks ahead or swaps.
"""

import random
import sys

BRIDGES = [(2, 0), (0, 2), (2, 2), (2, -2), (1, 2), (1, -2), (2, 1), (2, -1)]
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SUPPLY = {10: (40, 15), 12: (60, 22)}
COLUMNS = "abcdefghijkl"


def span(a, b):
    """The cells under a bridge."""
    (ax, ay), (bx, by) = a, b
    sx, sy = ax + bx, ay + by
    xs = {sx // 2, (sx + 1) // 2} if abs(ax - bx) == 1 else {sx // 2}
    ys = {sy // 2, (sy + 1) // 2} if abs(ay - by) == 1 else {sy // 2}
    return frozenset((x, y) for x in xs for y in ys)


def cross(a, b, c, d):
    """Whether the open segments a-b and c-d intersect."""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


class Geometry:
    """What never changes on a board of one size."""

    known = {}

    def __init__(self, size):
        self.cells = [(x, y) for x in range(size) for y in range(size)]
        on = set(self.cells)

        def near(cell, offsets):
            there = [(cell[0] + x, cell[1] + y) for x, y in offsets]
            return [other for other in there if other in on]

        self.sides = {cell: near(cell, SIDES) for cell in self.cells}
        self.corners = {cell: near(cell, CORNERS) for cell in self.cells}
        self.around = {cell: self.sides[cell] + self.corners[cell] for cell in self.cells}
        self.ends = {cell: {} for cell in self.cells}
        for a in self.cells:
            for b in near(a, BRIDGES):
                self.ends[a][b] = self.ends[b][a] = span(a, b)

    @classmethod
    def of(cls, size):
        if size not in cls.known:
            cls.known[size] = cls(size)
        return cls.known[size]


class Board:
    def __init__(self, size):
        self.size, self.geometry = size, Geometry.of(size)
        self.color = {}  # of the tile on a cell
        self.group = {}  # the tiles of a tile's group, a set that they share
        self.bridges = []
        self.ended = set()  # tiles that carry a bridge
        self.spanned = set()
        self.placed = {"w": 0, "r": 0}
        self.supply = SUPPLY.get(size, (10**6, 10**6))

    def joined(self, color, cell):
        """The groups beside a cell, and how many tiles they have."""
        groups = []
        for near in self.geometry.sides[cell]:
            if self.color.get(near) == color and self.group[near] not in groups:
                groups.append(self.group[near])
        return groups, sum(map(len, groups))

    def allows_tile(self, color, cell):
        if cell in self.color or cell in self.spanned or cell not in self.geometry.sides:
            return False
        groups, count = self.joined(color, cell)
        if count > 3:
            return False
        for near in self.geometry.corners[cell]:
            if self.color.get(near) == color:
                group = self.group[near]
                if len(group) == 4 or count == 3 and group not in groups:
                    return False
        if count == 3:
            for group in groups:
                for tile in group:
                    for near in self.geometry.corners[tile]:
                        if self.color.get(near) == color and self.group[near] not in groups:
                            return False
        return True

    def place(self, color, cell):
        groups, _ = self.joined(color, cell)
        merged = {cell}.union(*groups)
        self.color[cell] = color
        self.placed[color] += 1
        for tile in merged:
            self.group[tile] = merged
        return groups

    def take(self, cell, groups):
        """Takes back the placement that returned `groups`."""
        self.placed[self.color.pop(cell)] -= 1
        del self.group[cell]
        for group in groups:
            for tile in group:
                self.group[tile] = group

    def allowed(self, color):
        """The cells where one tile may be placed."""
        return [cell for cell in self.geometry.cells if self.allows_tile(color, cell)]

    def seconds(self, color, first, cells):
        """Those of `cells` where a tile may follow one on `first`."""
        if self.placed[color] + 2 > self.supply[0]:
            return []
        groups = self.place(color, first)
        found = [cell for cell in cells if cell != first and self.allows_tile(color, cell)]
        self.take(first, groups)
        return found

    def can_place(self, color):
        cells = self.allowed(color)
        return any(self.seconds(color, first, cells) for first in cells)

    def allows_bridge(self, color, a, b):
        return (
            len(self.bridges) < self.supply[1]
            and self.color.get(a) == self.color.get(b) == color
            and a not in self.ended
            and b not in self.ended
            and b in self.geometry.ends[a]
            and not any(cell in self.color for cell in self.geometry.ends[a][b])
            and not any(cross(a, b, *bridge) for bridge in self.bridges)
        )

    def open_bridges(self, color):
        tiles = [cell for cell, owner in self.color.items() if owner == color]
        return [
            (a, b)
            for a in sorted(tiles)
            for b in self.geometry.ends[a]
            if a < b and self.allows_bridge(color, a, b)
        ]

    def build(self, a, b):
        self.bridges.append((a, b))
        self.ended |= {a, b}
        self.spanned |= self.geometry.ends[a][b]

    def networks(self):
        """For each bridged tile, an identity of its network and the islands in
        it."""
        parent = {}

        def root(group):
            while parent.get(id(group), group) is not group:
                group = parent[id(group)]
            return group

        groups = {id(self.group[end]): self.group[end] for end in self.ended}
        for a, b in self.bridges:
            one, other = root(self.group[a]), root(self.group[b])
            if one is not other:
                parent[id(one)] = other
        islands = {}
        for group in groups.values():
            top = id(root(group))
            islands[top] = islands.get(top, 0) + (len(group) == 4)

        def network(cell):
            group = self.group[cell]
            if id(group) not in groups:
                return id(group), int(len(group) == 4)
            top = id(root(group))
            return top, islands[top]

        return network

    def gains(self, color):
        """The bridges that score, with their points."""
        network, gains = self.networks(), {}
        for a, b in self.open_bridges(color):
            (one, m), (other, n) = network(a), network(b)
            if one != other and m * n > 0:
                gains[a, b] = m * n
        return gains

    def play(self, color, move):
        """Makes a move; whether it is legal."""
        if move in ("pass", "swap"):
            return move == "swap" or not self.can_place(color)
        kind = "," if "," in move else "-"
        try:
            a, b = ((COLUMNS.index(c[0]), int(c[1:]) - 1) for c in move.split(kind))
        except (ValueError, IndexError):
            return False
        if kind == "-" and a in self.geometry.sides and self.allows_bridge(color, a, b):
            self.build(a, b)
            return True
        if kind == "," and self.allows_tile(color, a) and self.seconds(color, a, [b]):
            self.place(color, a)
            self.place(color, b)
            return True
        return False


class Beginner:
    def __init__(self, kind, seed):
        self.skill = ["random", "greedy", "linker", "hinder"].index(kind)
        self.rng = random.Random(seed)

    def move(self, board, color):
        """Chooses a move and makes it."""
        if self.skill == 0:
            return self.random_move(board, color)
        gains = board.gains(color)
        if gains:
            most = max(gains.values())
            return self.bridge(board, [bridge for bridge, gain in gains.items() if gain == most])
        return self.tiles(board, color) or self.any_bridge(board, color) or "pass"

    def random_move(self, board, color):
        cells = board.allowed(color)
        pairs = [(a, b) for a in cells for b in board.seconds(color, a, cells) if a < b]
        bridges = board.open_bridges(color)
        moves = [(pair, True) for pair in pairs] + [(bridge, False) for bridge in bridges]
        if not moves:
            return "pass"
        (a, b), is_tiles = self.rng.choice(moves)
        if not is_tiles:
            return self.bridge(board, [(a, b)])
        board.place(color, a)
        board.place(color, b)
        return text(a) + "," + text(b)

    def bridge(self, board, choices):
        a, b = self.rng.choice(choices)
        board.build(a, b)
        return text(a) + "-" + text(b)

    def any_bridge(self, board, color):
        bridges = board.open_bridges(color)
        return self.bridge(board, bridges) if bridges else None

    def tiles(self, board, color):
        """Places the two tiles that look best, one after the other."""
        cells = board.allowed(color)
        for first in self.ranked(board, color, cells):
            seconds = board.seconds(color, first, cells)
            if seconds:
                board.place(color, first)
                second = self.ranked(board, color, seconds)[0]
                board.place(color, second)
                return text(first) + "," + text(second)
        return None

    def ranked(self, board, color, cells):
        """The cells, the best one first."""
        other = "r" if color == "w" else "w"
        gains = board.gains(other) if self.skill >= 3 else {}
        most = max(gains.values(), default=0)
        network = board.networks() if self.skill >= 2 else None

        def worth(cell):
            _, count = board.joined(color, cell)
            value = [0, 10, 20, 40][count]
            if self.skill >= 2:
                value += self.links(board, color, cell, network) * (2 if count == 3 else 1)
            if self.skill >= 3:
                ends = board.geometry.ends
                left = [gain for (a, b), gain in gains.items() if cell not in ends[a][b]]
                value += 12 * min(most - max(left, default=0), 4)
                if board.allows_tile(other, cell) and board.joined(other, cell)[1] == 3:
                    value += 4
            return value + self.rng.random()

        return sorted(cells, key=worth, reverse=True)

    def links(self, board, color, cell, network):
        """How well a tile on a cell could be bridged to own islands."""
        best = 0
        for end, under in board.geometry.ends[cell].items():
            if board.color.get(end) != color or end in board.ended:
                continue
            if any(mid in board.color or mid == cell for mid in under):
                continue
            if any(cross(cell, end, *bridge) for bridge in board.bridges):
                continue
            best = max(best, 3 + 4 * network(end)[1])
        return min(best, 15)


def text(cell):
    return COLUMNS[cell[0]] + str(cell[1] + 1)


COMMANDS = [
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove", "undo", "ponte-set_param",
]  # fmt: skip


class Session:
    def __init__(self, kind, seed):
        self.kind, self.beginner = kind, Beginner(kind, seed)
        self.start(10)

    def start(self, size):
        self.board, self.moves = Board(size), []

    def play(self, color, move):
        if not self.board.play(color, move):
            raise ValueError("illegal move")
        self.moves.append((color, move))

    def undo(self):
        if not self.moves:
            raise ValueError("cannot undo")
        moves = self.moves[:-1]
        self.start(self.board.size)
        for color, move in moves:
            self.play(color, move)

    def run(self, command, arguments):
        if command == "protocol_version":
            return "2"
        if command == "name":
            return self.kind
        if command == "version":
            return "1"
        if command == "known_command":
            return "true" if arguments[0] in COMMANDS else "false"
        if command == "list_commands":
            return "\n".join(COMMANDS)
        if command == "boardsize":
            size = int(arguments[0])
            if not 4 <= size <= 12:
                raise ValueError("unacceptable size")
            self.start(size)
        elif command == "clear_board":
            self.start(self.board.size)
        elif command == "play":
            self.play(read_color(arguments[0]), arguments[1].lower())
        elif command == "genmove":
            color = read_color(arguments[0])
            move = self.beginner.move(self.board, color)
            self.moves.append((color, move))
            return move
        elif command == "undo":
            self.undo()
        elif command == "ponte-set_param":
            # It never swaps, so the pie rule makes no difference.
            if arguments[0] == "seed":
                self.beginner.rng.seed(int(arguments[1]))
            elif arguments[0] != "pie":
                raise ValueError("syntax error: unknown parameter")
        elif command not in ("quit", "komi"):
            raise ValueError("unknown command")
        return ""


def read_color(word):
    return "w" if word.lower() in ("w", "white") else "r"


def main():
    kind = sys.argv[1] if len(sys.argv) > 1 else "greedy"
    session = Session(kind, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for line in sys.stdin:
        words = line.split("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            status, answer = "=", session.run(words[0], words[1:])
        except (IndexError, ValueError) as error:
            status, answer = "?", str(error) or "syntax error"
        print(f"{status}{number} {answer}\n", flush=True)
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()

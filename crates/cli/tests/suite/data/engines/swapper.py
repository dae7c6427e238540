#!/usr/bin/env python3
"""An engine that swaps whenever it is asked second, and plays at random
otherwise.

Usage: swapper.py
"""

import sys

sys.dont_write_bytecode = True

from plain import Engine


class Swapper(Engine):
    def gtp_play(self, color, move):
        if move.lower() == "swap":
            self.history.append(self.board.copy())
            return ""
        return super().gtp_play(color, move)

    def gtp_genmove(self, color):
        if len(self.history) == 1:
            self.history.append(self.board.copy())
            return "swap"
        return super().gtp_genmove(color)


Swapper(1).run()

#!/usr/bin/env python3
"""Engines that fail, each in its own way, at their second move.

Usage: bad.py MODE [MARK]    MARK identifies the process in process lists
"""

import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

from plain import Engine

MODE = sys.argv[1]
LONG = 1000


def say(text):
    print(text, file=sys.stderr, flush=True)


class Bad(Engine):
    moves = 0

    def gtp_boardsize(self, size):
        self.moves = 0
        if MODE == "no-board":
            raise ValueError("unacceptable size")
        return super().gtp_boardsize(size)

    def gtp_play(self, color, move):
        if MODE == "refuses" and self.moves > 0:
            raise ValueError("illegal move: I do not like it")
        return super().gtp_play(color, move)

    def gtp_quit(self):
        if MODE == "ignores-quit":
            time.sleep(LONG)
        return ""

    def respond(self, number, words):
        sign, number, text = super().respond(number, words)
        if words[0] != "genmove":
            return sign, number, text
        self.moves += 1
        if MODE == "flood":
            sys.stderr.write(("x" * 79 + "\n") * 4000)
            say(f"flooded {self.moves}")
        if self.moves < 2:
            return sign, number, text
        if MODE == "crash":
            say("out of ideas")
            os._exit(7)
        if MODE == "signal":
            os.kill(os.getpid(), signal.SIGSEGV)
        if MODE == "orphan":
            say("leaving a child behind")
            os._exit(8)
        if MODE == "mute":
            say(f"closing at {time.time()}")
            os.close(1)
            time.sleep(LONG)
        if MODE == "farewell":
            os.close(1)
            sys.stdin.read()
            say("closing down")
            os._exit(9)
        if MODE == "stall":
            say("thinking hard")
            time.sleep(LONG)
        if MODE == "slow" and self.moves == 2:
            time.sleep(2.5)
        if MODE == "illegal":
            return sign, number, "pass"
        if MODE == "nonsense":
            return sign, number, "somewhere"
        if MODE == "garbage":
            sys.stdout.buffer.write(b"\xff\x00\x1b[31m info depth 3\n\n")
        if MODE == "wrong-id":
            return sign, str(int(number) + 1), text
        if MODE == "no-id":
            return sign, "", text
        if MODE == "no-blank-line":
            sys.stdout.write(f"={number} {text}\n")
            sys.stdout.flush()
            time.sleep(LONG)
        if MODE == "endless-line":
            while True:
                sys.stdout.write("x" * 8192)
        return sign, number, text


if MODE == "crash-at-start":
    say("no such network: best.bin")
    sys.exit(3)
if MODE == "stall-at-start":
    time.sleep(LONG)
if MODE in ("ignores-quit", "orphan"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    wait = "import time; time.sleep(1000)"
    subprocess.Popen([sys.executable, "-c", wait, *sys.argv[1:]])
Bad(1).run()
if MODE == "ignores-quit":
    time.sleep(LONG)

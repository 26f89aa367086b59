#!/usr/bin/env python3
"""Records a command on a terminal as an asciinema cast, where asciinema itself is
not at hand:  python3 scripts/recording/record.py scripts/recording/truth.sh docs/truth.cast"""
import codecs, json, os, pty, sys, time, fcntl, struct, termios

command, target = sys.argv[1:3]
columns, rows = 110, 34
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.environ.update(TERM="xterm-256color")
    os.execvp(command, [command])
began, decode = time.time(), codecs.getincrementaldecoder("utf-8")("replace").decode
with open(target, "w", encoding="utf-8") as cast:
    cast.write(json.dumps({"version": 2, "width": columns, "height": rows, "timestamp": int(began),
                           "env": {"SHELL": "/bin/bash", "TERM": "xterm-256color"}}) + "\n")
    while True:
        try:
            text = decode(os.read(terminal, 65536))
        except OSError:  # the command has ended
            break
        if not text:
            break
        cast.write(json.dumps([round(time.time() - began, 6), "o", text]) + "\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

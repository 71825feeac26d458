"""One node of a replication by libtorrent; see robber-bench/bin/libtorrent, which starts it on every node of the testbed.

Nodes meet over TCP at rank 0, which hands out the torrent and the addresses of all, says when to begin, hears who is done,
and says when to end. Lines of JSON on standard output tell `robber-cli emulate` when the transfer began and when this node
was done.
"""

import argparse
import json
import os
import random
import shutil
import socket
import sys
import time

import libtorrent

MEETING_PORT = 6800
TORRENT_PORT = 6881
CONNECT_SECONDS = 60
CHUNK_BYTES = 1 << 20


class Line:
    """Messages over a TCP connection: a line of JSON each."""

    def __init__(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = connection.makefile("rw", encoding="ascii", newline="\n")

    def send(self, message):
        self._file.write(json.dumps(message) + "\n")
        self._file.flush()

    def receive(self):
        line = self._file.readline()
        if not line:
            raise ConnectionError("a node has left")
        return json.loads(line)


def meet_as_root(address, size):
    """Connections to all others, by rank, and their addresses."""
    lines, addresses = {}, {0: address}
    with socket.create_server((address, MEETING_PORT), backlog=size) as server:
        server.settimeout(CONNECT_SECONDS)
        while len(lines) < size - 1:
            connection, _ = server.accept()
            connection.settimeout(None)
            line = Line(connection)
            greeting = line.receive()
            lines[greeting["rank"]] = line
            addresses[greeting["rank"]] = greeting["address"]
    return lines, [addresses[rank] for rank in range(size)]


def meet_root(root_address, address, rank):
    """The connection to rank 0, which may not be there yet."""
    deadline = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            connection = socket.create_connection((root_address, MEETING_PORT), timeout=5)
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    connection.settimeout(None)
    line = Line(connection)
    line.send({"rank": rank, "address": address})
    return line


def write_data(path, size, seed):
    source = random.Random(seed)
    with open(path, "wb") as file:
        for begin in range(0, size, CHUNK_BYTES):
            file.write(source.randbytes(min(CHUNK_BYTES, size - begin)))


def torrent_of(path):
    """The encoded torrent of a file, with libtorrent's choice of piece size and hashes."""
    files = libtorrent.file_storage()
    libtorrent.add_files(files, path)
    torrent = libtorrent.create_torrent(files)
    libtorrent.set_piece_hashes(torrent, os.path.dirname(path))
    return libtorrent.bencode(torrent.generate())


def session_at(address, tcp_only):
    """A session with libtorrent's settings, less what looks for peers where there are none."""
    settings = {
        "listen_interfaces": f"{address}:{TORRENT_PORT}",
        "enable_dht": False,
        "enable_lsd": False,
        "enable_upnp": False,
        "enable_natpmp": False,
        "alert_mask": libtorrent.alert.category_t.error_notification | libtorrent.alert.category_t.status_notification,
    }
    if tcp_only:
        settings["enable_outgoing_utp"] = False
        settings["enable_incoming_utp"] = False
    return libtorrent.session(settings)


def join(session, torrent, folder, peers, seeding):
    parameters = libtorrent.add_torrent_params()
    parameters.ti = libtorrent.torrent_info(libtorrent.bdecode(torrent))
    parameters.save_path = folder
    parameters.flags &= ~libtorrent.torrent_flags.auto_managed
    parameters.flags &= ~libtorrent.torrent_flags.paused
    if seeding:
        parameters.flags |= libtorrent.torrent_flags.seed_mode
    handle = session.add_torrent(parameters)
    for peer in peers:
        handle.connect_peer((peer, TORRENT_PORT))
    return handle


def await_seeding(session, handle):
    while not handle.status().is_seeding:
        session.wait_for_alert(200)
        for alert in session.pop_alerts():
            if isinstance(alert, (libtorrent.torrent_error_alert, libtorrent.file_error_alert)):
                sys.exit(f"libtorrent: {alert.message()}")


def say(**message):
    print(json.dumps({"schema": 1, **message}), flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--address", required=True, help="of this node")
    options.add_argument("--tcp", action="store_true", help="without uTP")
    arguments = options.parse_args()
    rank, size = int(os.environ["ROBBER_RANK"]), int(os.environ["ROBBER_SIZE"])
    if os.environ["ROBBER_ROOT_ADDRESS"] != os.environ["MASTER_ADDR"]:
        sys.exit("the scenario's root must be the first node of the first cluster")

    folder = f"/dev/shm/libtorrent-{rank}"
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    try:
        if rank == 0:
            run_root(arguments, folder, size)
        else:
            run_receiver(arguments, folder, rank)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    # without the session's farewells to trackers and peers, for which nobody waits
    os._exit(0)


def run_root(arguments, folder, size):
    path = os.path.join(folder, "data")
    write_data(path, int(os.environ["ROBBER_DATA_SIZE"]), int(os.environ["ROBBER_SEED"]))
    torrent = torrent_of(path)
    session = session_at(arguments.address, arguments.tcp)
    lines, addresses = meet_as_root(arguments.address, size)
    for line in lines.values():
        line.send({"torrent": torrent.hex(), "addresses": addresses})
    for line in lines.values():
        line.receive()

    begin = time.monotonic()
    say(type="started")
    handle = join(session, torrent, folder, [], seeding=True)
    for line in lines.values():
        line.send({"go": True})
    for line in lines.values():
        line.receive()
    say(type="done", rank=0, seconds=time.monotonic() - begin)
    for line in lines.values():
        line.send({"stop": True})
    del handle


def run_receiver(arguments, folder, rank):
    session = session_at(arguments.address, arguments.tcp)
    line = meet_root(os.environ["ROBBER_ROOT_ADDRESS"], arguments.address, rank)
    plan = line.receive()
    line.send({"ready": True})

    line.receive()
    begin = time.monotonic()
    # each pair is connected by the higher rank
    handle = join(session, bytes.fromhex(plan["torrent"]), folder, plan["addresses"][:rank], seeding=False)
    await_seeding(session, handle)
    say(type="done", rank=rank, seconds=time.monotonic() - begin)
    line.send({"done": True})
    line.receive()


if __name__ == "__main__":
    main()

package org.robber.transport.control;

import static org.robber.core.wire.Golden.bytes;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import org.robber.core.wire.Golden;

/** Control messages and their bytes, written by hand. A change here is another version of the protocol. */
final class GoldenControl {
    static final List<Golden<ControlMessage>> MESSAGES = List.of(
            Golden.of(
                    new ControlMessage.Announce("j", 1, 2, "B", "h", 77, ImmutableList.of("", "fd00::1"), 4096, "s=1"),
                    "0000002E 41 0001 6A 00000001 00000002 01 0001 42 0001 68 000000000000004D"
                            + " 02 0000 0007 666430303A3A31 1000 0003 733D31"),
            Golden.of(
                    new ControlMessage.Announce("j", 0, 2, null, "h", 77, ImmutableList.of(), 0, "s=1"),
                    "00000020 41 0001 6A 00000000 00000002 00 0001 68 000000000000004D 00 0000 0003 733D31"),
            Golden.of(
                    new ControlMessage.Roster(
                            -2, ImmutableList.of(new ControlMessage.Member("A", "h", 1, "10.0.0.1", 65535))),
                    "00000028 42 FFFFFFFFFFFFFFFE 00000001"
                            + " 0001 41 0001 68 0000000000000001 01 0008 31302E302E302E31 FFFF"),
            Golden.of(new ControlMessage.Refuse(8, "no"), "00000009 43 00000008 0002 6E6F"),
            Golden.of(new ControlMessage.Call(3, "barrier"), "00000012 44 0000000000000003 0007 62617272696572"),
            Golden.of(new ControlMessage.Arrive(3, bytes("0102")), "0000000F 45 0000000000000003 00000002 0102"),
            Golden.of(new ControlMessage.Release(3, bytes("")), "0000000D 46 0000000000000003 00000000"),
            Golden.of(new ControlMessage.Publish(2, "t", bytes("FF")), "0000000D 47 00000002 0001 74 00000001 FF"),
            Golden.of(
                    new ControlMessage.Progress("go", 5, 9, ImmutableSortedMap.of(0, 3L, 2, 7L)),
                    "00000031 48 0002 676F 0000000000000005 0000000000000009 00000002"
                            + " 00000000 0000000000000003 00000002 0000000000000007"),
            Golden.of(
                    new ControlMessage.Fail(30, ImmutableList.of(2, 0), "p", "x"),
                    "00000017 49 0000001E 00000002 00000002 00000000 0001 70 0001 78"),
            Golden.of(new ControlMessage.Goodbye(), "00000001 4A"),
            Golden.of(new ControlMessage.Alive(), "00000001 4B"),
            Golden.of(
                    new ControlMessage.DataHello("j", 255, 1, 2, 0),
                    "0000001C 4C 0001 6A 00000000000000FF 0000000000000001 00000002 00000000"),
            Golden.of(new ControlMessage.Lost(2, 5, "p", "x"), "0000000F 4D 00000002 00000005 0001 70 0001 78"),
            Golden.of(
                    new ControlMessage.Join("j", "B", "h", 77, ImmutableList.of("::1"), 4096),
                    "0000001B 4E 0001 6A 01 0001 42 0001 68 000000000000004D 01 0003 3A3A31 1000"),
            Golden.of(
                    new ControlMessage.Join("j", null, "h", 77, ImmutableList.of(), 0),
                    "00000013 4E 0001 6A 00 0001 68 000000000000004D 00 0000"),
            Golden.of(
                    new ControlMessage.Admit(4, 1, 2, 0, 9, 5, "mob", "d", 7),
                    "0000002D 4F 00000004 00000001 0000000000000002 00000000 0000000000000009 00000005 0003 6D6F62"
                            + " 0001 64 00000007"),
            Golden.of(
                    new ControlMessage.Joined(4, new ControlMessage.Member("A", "h", 1, "", 0)),
                    "00000018 50 00000004 0001 41 0001 68 0000000000000001 01 0000 0000"),
            Golden.of(new ControlMessage.MeasureRoundTrip(3, "::1", 4096), "0000000C 51 00000003 0003 3A3A31 1000"),
            Golden.of(new ControlMessage.RoundTrip(3, 255), "0000000D 52 00000003 00000000000000FF"),
            Golden.of(new ControlMessage.CallBack(1, 2, -2), "00000011 53 00000001 00000002 FFFFFFFFFFFFFFFE"),
            Golden.of(
                    new ControlMessage.BackHello("j", 255, 2, -2),
                    "00000018 54 0001 6A 00000000000000FF 00000002 FFFFFFFFFFFFFFFE"),
            Golden.of(
                    new ControlMessage.Relay("j", 255, 1, 2),
                    "00000014 55 0001 6A 00000000000000FF 00000001 00000002"));

    private GoldenControl() {}
}

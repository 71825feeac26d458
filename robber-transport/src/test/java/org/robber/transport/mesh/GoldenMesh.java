package org.robber.transport.mesh;

import static org.robber.core.wire.Golden.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.wire.Golden;

/** Messages of the mesh and their bytes, written by hand. A change here is another version of the protocol. */
final class GoldenMesh {
    static final List<Golden<MeshMessage>> MESSAGES = List.of(
            Golden.of(
                    new MeshMessage.Bundle(new MeetingKey(-2, 3), "go", List.of(bytes("0102"), bytes(""))),
                    "00000027 61 FFFFFFFFFFFFFFFE 0000000000000003 0002 676F 00000002 00000002 0102 00000000 E0B6DA19"),
            Golden.of(
                    new MeshMessage.Begun(new MeetingKey(0, 4), "go"),
                    "00000019 62 0000000000000000 0000000000000004 0002 676F 56481FF1"),
            Golden.of(new MeshMessage.Received(258), "0000000D 63 0000000000000102 6B069239"),
            Golden.of(new MeshMessage.Leave(), "00000005 64 F421572C"),
            Golden.of(
                    new MeshMessage.Personal(new MeetingKey(-2, 5), "go", ByteBuffer.wrap(bytes("010203"))),
                    "00000020 65 FFFFFFFFFFFFFFFE 0000000000000005 0002 676F 00000003 010203 9BA9C9F6"),
            Golden.of(new MeshMessage.Share("go", -2), "00000011 66 0002 676F FFFFFFFFFFFFFFFE 15DB5A71"),
            Golden.of(new MeshMessage.Ring(), "00000005 67 E771A4D8"));

    private GoldenMesh() {}
}

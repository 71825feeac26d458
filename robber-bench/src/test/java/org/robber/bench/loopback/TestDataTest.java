package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A benchmark that counts wrong bytes is worth nothing: what they must be, and that others are noticed. */
class TestDataTest {
    private static final int SIZE_BYTES = 100_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 13, 1 << 20, (1 << 20) + 3, 3 << 20})
    void tellsEveryNumberFromItsPlace(int sizeBytes) throws IOException {
        Path file = folder.resolve("data");
        long checksum = TestData.writeTo(file, sizeBytes);
        byte[] bytes = Files.readAllBytes(file);
        assertThat(bytes).hasSize(sizeBytes);
        ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int offset = 0; offset + Long.BYTES <= sizeBytes; offset += Long.BYTES) {
            assertThat(numbers.getLong(offset)).isEqualTo(TestData.numberAt(offset));
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        assertThat(checksum).isEqualTo(crc.getValue());
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(TestData.checksum((at, chunk) -> TestData.readFully(channel, at, chunk), sizeBytes))
                    .isEqualTo(checksum);
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void acceptsTheRightBytesInEveryPlace(Place place) throws IOException {
        long checksum = TestData.writeTo(folder.resolve("data"), SIZE_BYTES);
        receive(place, Files.readAllBytes(folder.resolve("data")), checksum);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void refusesWrongBytesInEveryPlace(Place place) throws IOException {
        long checksum = TestData.writeTo(folder.resolve("data"), SIZE_BYTES);
        byte[] bytes = Files.readAllBytes(folder.resolve("data"));
        bytes[0] ^= 1;
        assertThatThrownBy(() -> receive(place, bytes, checksum))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wrong bytes");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void refusesAStreamThatEndsEarly(Place place) throws IOException {
        long checksum = TestData.writeTo(folder.resolve("data"), SIZE_BYTES);
        byte[] bytes = Files.readAllBytes(folder.resolve("data"));
        assertThatThrownBy(() -> receive(place, Arrays.copyOf(bytes, SIZE_BYTES - 1), checksum))
                .isInstanceOf(EOFException.class);
    }

    private void receive(Place place, byte[] stream, long checksum) throws IOException {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel sender = SocketChannel.open(server.getLocalAddress());
                SocketChannel receiver = server.accept();
                PlainSink sink = PlainSink.open(place, SIZE_BYTES, folder.resolve("target"))) {
            ByteBuffer bytes = ByteBuffer.wrap(stream);
            Thread sending = new Thread(() -> send(bytes, sender));
            sending.start();
            long received = 0;
            while (received < SIZE_BYTES) {
                received += sink.readFrom(receiver, received);
            }
            sink.check(checksum);
        }
    }

    private static void send(ByteBuffer bytes, SocketChannel target) {
        try (target) {
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
        } catch (IOException e) {
            // The receiver has seen enough.
        }
    }
}

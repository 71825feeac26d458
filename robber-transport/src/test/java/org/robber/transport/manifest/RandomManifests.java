package org.robber.transport.manifest;

import org.robber.core.random.SeededRandom;

/** Trees of any shape, for tests. */
final class RandomManifests {

    private RandomManifests() {}

    static Manifest next(SeededRandom random, int maxEntries) {
        ManifestBuilder builder = new ManifestBuilder();
        if (random.nextBoolean()) {
            builder.root(attributes(random));
        }
        int entries = random.nextInt(maxEntries + 1);
        // Names ascend everywhere if they ascend over the whole tree.
        int nextName = 0;
        int depth = 0;
        for (int i = 0; i < entries; i++) {
            nextName += 1 + random.nextInt(300);
            byte[] name = name(nextName, random);
            switch (random.nextInt(4)) {
                case 0 -> {
                    builder.directory(name, attributes(random));
                    depth++;
                }
                case 1 -> builder.symlink(name, attributes(random), name(random.nextInt(1 << 20), random));
                default -> builder.file(name, attributes(random), random.nextLong() >>> (24 + random.nextInt(40)));
            }
            while (depth > 0 && random.nextInt(3) == 0) {
                builder.endDirectory();
                depth--;
            }
        }
        return builder.build();
    }

    private static EntryAttributes attributes(SeededRandom random) {
        return new EntryAttributes(
                random.nextInt(010000),
                random.nextInt(1 << 30) * (random.nextBoolean() ? -1L : 2L),
                random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
    }

    /** Ascends with the number; the bytes are any but NUL and slash, from 0x40 on in front so that no name is "." or "..". */
    private static byte[] name(int number, SeededRandom random) {
        byte[] name = new byte[4 + random.nextInt(20)];
        for (int i = 0; i < name.length; i++) {
            name[i] = i < 4 ? (byte) (0x40 + ((number >> (18 - 6 * i)) & 0x3f)) : (byte) (0x80 + random.nextInt(0x80));
        }
        return name;
    }
}

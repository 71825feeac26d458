package org.robber.transport.collective.shared;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.memory.SharedFile;

/**
 * Memory in which the members of a group, processes of one machine, show each other data. Each has a window of two halves. Members agree once whether all have
 * opened all windows. Used by one call at a time.
 */
public final class SharedWindows {
    /** The memory of all windows of a group, if that leaves each enough. Fewer rounds are faster, as long as the windows fit into the caches of a server. */
    private static final int ALL_BYTES = 1 << 25;

    private static final int LEAST_HALF_BYTES = 1 << 16;

    private static final int MOST_HALF_BYTES = 1 << 21;

    private static final byte[] YES = {1};

    private static final byte[] NO = {0};

    private final Membership member;
    private final boolean mayShare;
    private final int halfBytes;
    private @Nullable List<SharedFile> windows;
    private @Nullable CompletableFuture<Boolean> agreement;

    /** @param mayShare whether this node shows others what it has */
    SharedWindows(Membership member, boolean mayShare) {
        this.member = member;
        this.mayShare = mayShare;
        int equal = Integer.highestOneBit(Math.max(1, ALL_BYTES / 2 / member.size()));
        this.halfBytes = Math.min(MOST_HALF_BYTES, Math.max(LEAST_HALF_BYTES, equal));
    }

    /** The meetings of a call. */
    public interface Rounds {
        /** Meets in the next of them. */
        CompletableFuture<List<byte[]>> meet(byte[] payload);
    }

    /** The data that a member shows at a time; the same at all. */
    int halfBytes() {
        return halfBytes;
    }

    /** Completes with whether all members have all windows; the same at all. The first call of this takes two rounds. */
    CompletableFuture<Boolean> agree(Rounds rounds) {
        CompletableFuture<Boolean> known = agreement;
        if (known == null) {
            known = open(rounds);
            agreement = known;
        }
        return known;
    }

    private CompletableFuture<Boolean> open(Rounds rounds) {
        SharedFile own = mayShare ? SharedFile.create(2 * halfBytes) : null;
        CompletableFuture<Boolean> open = rounds.meet(own == null ? NO : own.told())
                .thenCompose(names -> {
                    boolean all = own != null && openAll(own, names);
                    return rounds.meet(all ? YES : NO);
                })
                .thenApply(answers -> {
                    boolean all = answers.stream().allMatch(answer -> answer.length == 1 && answer[0] == 1);
                    if (!all) {
                        close();
                    }
                    return all;
                });
        return own == null ? open : open.whenComplete((done, problem) -> own.delete());
    }

    /** Opens the windows of all others, in the order of their ranks. Whether all are open; {@link #close} closes those that are. */
    private boolean openAll(SharedFile own, List<byte[]> names) {
        List<SharedFile> opened = new ArrayList<>();
        windows = opened;
        for (int each = 0; each < names.size(); each++) {
            SharedFile file = each == member.rank() ? own : SharedFile.open(names.get(each), 2 * halfBytes);
            if (file == null) {
                if (!opened.contains(own)) {
                    own.unmap();
                }
                return false;
            }
            opened.add(file);
        }
        return true;
    }

    /** The half of a window that is used in this round. All have agreed to share. */
    ByteBuffer half(int window, int round) {
        List<SharedFile> opened = windows;
        if (opened == null) {
            throw new IllegalStateException("no windows are open");
        }
        return opened.get(window).memory().slice(round % 2 * halfBytes, halfBytes);
    }

    /** Gives the memory back. No call is under way, or follows. */
    void close() {
        List<SharedFile> opened = windows;
        windows = null;
        if (opened != null) {
            opened.forEach(SharedFile::unmap);
        }
    }
}

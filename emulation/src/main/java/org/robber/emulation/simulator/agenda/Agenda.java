package org.robber.emulation.simulator.agenda;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The future events of a simulation, by time. Events of the same time keep the order in which they were put here. So the order is
 * complete, and a run repeats exactly. Starts at time 0. Not thread-safe.
 *
 * <p>A heap of four children per entry. The keys have an array of their own, in which those of four siblings lie side by side. A
 * comparison touches no object, and a level of the heap hardly more than a line of the cache. For the same reason an entry does not
 * know its place; a moved or removed event leaves a void entry behind.
 */
public final class Agenda {
    private static final int CHILDREN = 4;
    private static final int FIRST_CAPACITY = 1 << 10;

    /** Time and sequence number of each entry, alternating. */
    private long[] keys = new long[2 * FIRST_CAPACITY];

    private @Nullable ScheduledEvent[] dues = new @Nullable ScheduledEvent[FIRST_CAPACITY];
    private int size;

    /** The rest of the row that has begun. */
    private @Nullable ScheduledEvent row;

    /** The end of the row that was put last, while it can be continued, and its time. */
    private @Nullable ScheduledEvent rowEnd;

    private long rowNanos;
    private long nowNanos;
    private long nextSequence;
    private long steps;

    /** The time of the current or last event. */
    public long nowNanos() {
        return nowNanos;
    }

    /** How many things have happened. */
    public long steps() {
        return steps;
    }

    /** Whether no event is left. */
    public boolean isEmpty() {
        dropVoid();
        return row == null && size == 0;
    }

    /** When the next thing happens; there must be one. */
    public long nextNanos() {
        dropVoid();
        return row == null ? keys[0] : nowNanos;
    }

    /** How many entries there are, void ones included. */
    int entries() {
        return size;
    }

    /**
     * Schedules an event at a time not before now, or moves it there. An event that was put for good cannot be moved.
     */
    public void put(ScheduledEvent due, long atNanos) {
        checkArgument(!due.forGood, "can't be moved");
        enter(due, atNanos);
        if (atNanos == rowNanos) {
            rowEnd = null;
        }
    }

    /** Lets something happen at a time not before now. */
    public void at(long atNanos, Runnable effect) {
        put(
                new ScheduledEvent() {
                    @Override
                    protected void happen(long nowNanos) {
                        effect.run();
                    }
                },
                atNanos);
    }

    /**
     * Schedules an event that is not on the agenda, at a time not before now. It cannot be moved or removed. Such events of the
     * same time, put without another one in between, share one entry: often a node tells all local peers the same.
     */
    public void putForGood(ScheduledEvent due, long atNanos) {
        checkArgument(!due.isDue(), "is on the agenda already");
        ScheduledEvent end = rowEnd;
        if (end != null && rowNanos == atNanos) {
            due.sequence = nextSequence++;
            end.nextInRow = due;
        } else {
            enter(due, atNanos);
        }
        due.forGood = true;
        rowEnd = due;
        rowNanos = atNanos;
    }

    private void enter(ScheduledEvent due, long atNanos) {
        checkArgument(atNanos >= nowNanos, "%s is before %s", atNanos, nowNanos);
        if (size == dues.length) {
            keys = Arrays.copyOf(keys, 4 * size);
            dues = Arrays.copyOf(dues, 2 * size);
        }
        due.sequence = nextSequence++;
        int place = size++;
        while (place > 0) {
            int parent = (place - 1) / CHILDREN;
            // Entries there were put earlier, so they come first if they have the same time.
            if (keys[2 * parent] <= atNanos) {
                break;
            }
            set(place, keys[2 * parent], keys[2 * parent + 1], at(parent));
            place = parent;
        }
        set(place, atNanos, due.sequence, due);
    }

    /** Removes an event, if it is scheduled. An event that was put for good cannot be removed. */
    public void remove(ScheduledEvent due) {
        checkArgument(!due.forGood, "can't be removed");
        due.sequence = ScheduledEvent.NEVER;
    }

    /** Lets the next thing happen; returns false if there is none. */
    public boolean step() {
        ScheduledEvent first = takeFirst();
        if (first == null) {
            return false;
        }
        row = first.nextInRow;
        first.nextInRow = null;
        first.forGood = false;
        if (first == rowEnd) {
            rowEnd = null;
        }
        first.sequence = ScheduledEvent.NEVER;
        steps++;
        first.happen(nowNanos);
        return true;
    }

    private @Nullable ScheduledEvent takeFirst() {
        if (row != null) {
            return row;
        }
        dropVoid();
        if (size == 0) {
            return null;
        }
        ScheduledEvent first = at(0);
        nowNanos = keys[0];
        dropFirst();
        return first;
    }

    private void dropVoid() {
        while (size > 0 && at(0).sequence != keys[1]) {
            dropFirst();
        }
    }

    private void dropFirst() {
        size--;
        ScheduledEvent due = at(size);
        long time = keys[2 * size];
        long sequence = keys[2 * size + 1];
        dues[size] = null;
        int place = 0;
        while (true) {
            int child = place * CHILDREN + 1;
            if (child >= size) {
                break;
            }
            int least = leastOf(child, Math.min(child + CHILDREN, size));
            if (isBefore(time, sequence, least)) {
                break;
            }
            set(place, keys[2 * least], keys[2 * least + 1], at(least));
            place = least;
        }
        if (size > 0) {
            set(place, time, sequence, due);
        }
    }

    private int leastOf(int first, int end) {
        int least = first;
        for (int place = first + 1; place < end; place++) {
            if (isBefore(keys[2 * place], keys[2 * place + 1], least)) {
                least = place;
            }
        }
        return least;
    }

    private boolean isBefore(long time, long sequence, int place) {
        return time < keys[2 * place] || (time == keys[2 * place] && sequence < keys[2 * place + 1]);
    }

    private void set(int place, long time, long sequence, ScheduledEvent due) {
        keys[2 * place] = time;
        keys[2 * place + 1] = sequence;
        dues[place] = due;
    }

    @SuppressWarnings("NullAway") // entries below the size are there
    private ScheduledEvent at(int place) {
        return dues[place];
    }
}

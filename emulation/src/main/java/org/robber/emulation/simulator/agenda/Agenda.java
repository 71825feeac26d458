package org.robber.emulation.simulator.agenda;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All that will happen, by time; of what is due at the same time, that comes first which was put here first. So the order
 * is complete, and a run repeats exactly. Starts at time 0. Not thread-safe.
 *
 * <p>A heap of four children per entry, with the keys in arrays of their own: a comparison touches no object.
 */
public final class Agenda {
    private static final int CHILDREN = 4;
    private static final int FIRST_CAPACITY = 1 << 10;

    private long[] times = new long[FIRST_CAPACITY];
    private long[] sequences = new long[FIRST_CAPACITY];
    private @Nullable Due[] dues = new @Nullable Due[FIRST_CAPACITY];
    private int size;
    private long nowNanos;
    private long nextSequence;
    private long steps;

    /** The time of what is happening or happened last. */
    public long nowNanos() {
        return nowNanos;
    }

    /** How many things have happened. */
    public long steps() {
        return steps;
    }

    /** Whether nothing is left to happen. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** When the next thing happens; the agenda must not be empty. */
    public long nextNanos() {
        return times[0];
    }

    /** Lets something happen at a time not before now, instead of when it was to happen until now, if at all. */
    public void put(Due due, long atNanos) {
        checkArgument(atNanos >= nowNanos, "%s is before %s", atNanos, nowNanos);
        if (due.isDue()) {
            remove(due);
        }
        if (size == dues.length) {
            times = Arrays.copyOf(times, 2 * size);
            sequences = Arrays.copyOf(sequences, 2 * size);
            dues = Arrays.copyOf(dues, 2 * size);
        }
        up(size++, due, atNanos, nextSequence++);
    }

    /** Lets something not happen; harmless if it was not to happen. */
    public void remove(Due due) {
        if (!due.isDue()) {
            return;
        }
        int hole = due.place;
        due.place = Due.NOWHERE;
        size--;
        Due last = at(size);
        long time = times[size];
        long sequence = sequences[size];
        dues[size] = null;
        if (hole < size) {
            if (hole > 0 && isBefore(time, sequence, (hole - 1) / CHILDREN)) {
                up(hole, last, time, sequence);
            } else {
                down(hole, last, time, sequence);
            }
        }
    }

    /** Lets the next thing happen; returns false if there is none. */
    public boolean step() {
        if (size == 0) {
            return false;
        }
        Due first = at(0);
        nowNanos = times[0];
        remove(first);
        steps++;
        first.happen(nowNanos);
        return true;
    }

    @SuppressWarnings("NullAway") // entries below the size are there
    private Due at(int place) {
        return dues[place];
    }

    private boolean isBefore(long time, long sequence, int place) {
        return time < times[place] || (time == times[place] && sequence < sequences[place]);
    }

    private void up(int from, Due due, long time, long sequence) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / CHILDREN;
            if (!isBefore(time, sequence, parent)) {
                break;
            }
            set(place, at(parent), times[parent], sequences[parent]);
            place = parent;
        }
        set(place, due, time, sequence);
    }

    private void down(int from, Due due, long time, long sequence) {
        int place = from;
        while (true) {
            int first = place * CHILDREN + 1;
            if (first >= size) {
                break;
            }
            int least = first;
            for (int child = first + 1; child < Math.min(first + CHILDREN, size); child++) {
                if (isBefore(times[child], sequences[child], least)) {
                    least = child;
                }
            }
            if (isBefore(time, sequence, least)) {
                break;
            }
            set(place, at(least), times[least], sequences[least]);
            place = least;
        }
        set(place, due, time, sequence);
    }

    private void set(int place, Due due, long time, long sequence) {
        dues[place] = due;
        times[place] = time;
        sequences[place] = sequence;
        due.place = place;
    }
}

package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class RoundTripGroupsTest {
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final int MOST_SITES = 8;
    private static final int MOST_PLACES = 300;

    private int rounds;

    @Test
    void subnetsOfOneLocalNetworkAreOneGroupAfterOneRound() {
        RoundTripGroups.Result result = group(1000, (from, to) -> 80 + (from * to) % 700);
        assertThat(result.groups()).isEqualTo(1);
        assertThat(rounds).isEqualTo(1);
        assertThat(result.text()).isEqualTo("at most 1 ms inside");
    }

    @Test
    void sitesAreGroups() {
        RoundTripGroups.Result result =
                group(9, (from, to) -> from % 3 == to % 3 ? 200 : 10_000 + 7000 * (from % 3 + to % 3));
        assertThat(result.groupOf()).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
        assertThat(rounds).isEqualTo(3);
        assertThat(result.text()).isEqualTo("at most 1 ms inside, at least 17.0 ms between");
    }

    @Test
    void theShortestGapCounts() {
        // Two sites 7 ms apart, and a third one overseas.
        RoundTripGroups.Result result = group(3, (from, to) -> from + to == 1 ? 7000 : 80_000);
        assertThat(result.groupOf()).containsExactly(0, 1, 2);
    }

    @Test
    void aBusyMachineIsNoSite() {
        // Its times are twice those of a local network, and the other site is far from all.
        RoundTripGroups.Result result =
                group(4, (from, to) -> from == 3 || to == 3 ? 12_000 : from == 2 || to == 2 ? 2200 : 300);
        assertThat(result.groupOf()).containsExactly(0, 0, 0, 1);
        assertThat(result.text()).isEqualTo("at most 2.2 ms inside, at least 12.0 ms between");
    }

    @Test
    void whoCannotBeReachedIsAlone() {
        RoundTripGroups.Result result = group(4, (from, to) -> from == 2 || to == 2 ? UNKNOWN : 300);
        assertThat(result.groupOf()).containsExactly(0, 0, 1, 0);
    }

    @Test
    void oneDirectionIsEnough() {
        // Nobody reaches place 0, but it reaches the others.
        RoundTripGroups.Result result = group(3, (from, to) -> to == 0 ? UNKNOWN : 300);
        assertThat(result.groups()).isEqualTo(1);
    }

    @Test
    void onePlaceNeedsNoMeasurement() {
        assertThat(new RoundTripGroups(1).result().groupOf()).containsExactly(0);
    }

    @Test
    void manyFarPlacesTakeALimitedNumberOfRounds() {
        RoundTripGroups.Result result = group(200, (from, to) -> 20_000 + 1000 * Math.abs(from - to));
        assertThat(rounds).isEqualTo(RoundTripGroups.MOST_LANDMARKS);
        assertThat(result.groups()).isEqualTo(200);
    }

    /** Sites anywhere on earth, at least 3.5 ms apart, with local networks of up to 1 ms and times that are measured too long, never too short. */
    @Test
    void drawnSitesAreFound() {
        SeededRuns.run(200, random -> {
            int sites = 1 + random.nextInt(MOST_SITES);
            int places = sites + random.nextInt(MOST_PLACES);
            int[] siteOf = new int[places];
            Arrays.setAll(siteOf, place -> place < sites ? place : random.nextInt(sites));
            long[][] distances = distances(sites, random);
            RoundTripGroups.Result result = group(places, (from, to) -> {
                int one = siteOf[(int) from];
                int other = siteOf[(int) to];
                long noise = random.nextInt(150);
                return one == other ? 50 + random.nextInt(950) : distances[one][other] + noise;
            });
            assertThat(result.groupOf()).isEqualTo(siteOf);
            assertThat(rounds).isLessThanOrEqualTo(sites);
        });
    }

    private static long[][] distances(int sites, SeededRandom random) {
        long[][] distances = new long[sites][sites];
        for (int one = 0; one < sites; one++) {
            for (int other = 0; other < one; other++) {
                long micros = (long) (3500 * Math.pow(80, random.nextInt(1000) / 1000.0));
                distances[one][other] = micros;
                distances[other][one] = micros;
            }
        }
        return distances;
    }

    private RoundTripGroups.Result group(int places, LongBinaryOperator micros) {
        RoundTripGroups groups = new RoundTripGroups(places);
        rounds = 0;
        for (OptionalInt next = groups.nextLandmark(); next.isPresent(); next = groups.nextLandmark()) {
            int landmark = next.getAsInt();
            long[] times = new long[places];
            Arrays.setAll(times, place -> place == landmark ? 0 : micros.applyAsLong(place, landmark));
            groups.measured(landmark, times);
            rounds++;
        }
        return groups.result();
    }
}

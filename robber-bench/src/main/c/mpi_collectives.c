/*
 * Times collective calls of MPI, as CollectiveNode does ours; see robber-bench/bin/collectives. COLLECTIVES_CASES holds cases such as
 * barrier:0:20,bcast:67108864:5. Rank 0 writes to COLLECTIVES_RESULTS: call, bytes, and the least, the median and the greatest time of a row in
 * microseconds. Calls go on for COLLECTIVES_WARM_UP seconds before one is timed.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef MPICH_VERSION
#include <sched.h>
#include <sys/epoll.h>
#endif

enum { FEW_BYTES = 1 << 16, CALLS_OF_FEW_BYTES = 20, MOST_ROWS = 1000 };

#ifdef MPICH_VERSION
/*
 * This replaces the C library's function in programs of MPICH. A waiting process of MPICH polls without end, and keeps its processor until
 * the kernel takes that away. Here it lets others run whenever it finds nothing, as those of Open MPI do with mpi_yield_when_idle.
 */
int epoll_wait(int file, struct epoll_event *events, int most, int timeout) {
  int ready = epoll_pwait(file, events, most, timeout, NULL);
  if (ready == 0 && timeout == 0) {
    sched_yield();
  }
  return ready;
}
#endif

static int rank;
static int size;
static unsigned char *part;
static unsigned char *all;
static double *in;
static double *out;

static void fail(const char *what) {
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fail(name);
  }
  return value;
}

static void *memory(size_t bytes) {
  void *got = calloc(1, bytes + 1);
  if (got == NULL) {
    fail("no memory");
  }
  return got;
}

/* The result that the call is to bring: the part i of "got" is from rank i for rank "to", and the last double of a vector is a sum. */
static unsigned char *got;
static int parts;
static size_t length;
static int to;
static double *last_double;
static double sum;

/* Parts of other ranks begin with other bytes. */
static int first_byte(int from, int for_rank) {
  return 31 * from + for_rank;
}

static void fill(unsigned char *bytes, size_t count, int from, int for_rank) {
  for (size_t i = 0; i < count; i++) {
    bytes[i] = (unsigned char) (first_byte(from, for_rank) + i);
  }
}

static unsigned char right_byte(int from) {
  return (unsigned char) (first_byte(from, to) + length - 1);
}

static unsigned char *last_byte(int from) {
  return got + (from + 1) * length - 1;
}

/* A call that brings nothing is noticed, although one before brought all. */
static void spoil(void) {
  for (int from = 0; from < parts; from++) {
    *last_byte(from) = right_byte(from) + 1;
  }
  if (last_double != NULL) {
    *last_double = NAN;
  }
}

static void check(void) {
  for (int from = 0; from < parts; from++) {
    if (*last_byte(from) != right_byte(from)) {
      fail("wrong data");
    }
  }
  if (last_double != NULL && *last_double != sum) {
    fail("wrong data");
  }
}

static void expect_parts(unsigned char *where, int of_ranks, size_t part_bytes, int for_rank) {
  got = where;
  parts = of_ranks;
  length = part_bytes;
  to = for_rank;
  if (part_bytes == 0) {
    fail("fewer bytes than parts");
  }
}

static void expect_sum(int count, int ranks) {
  if (count == 0) {
    fail("fewer doubles than parts");
  }
  last_double = out + count - 1;
  sum = ranks * (ranks + 1) / 2.0;
}

static int is(const char *name, const char *other) {
  return strcmp(name, other) == 0;
}

static int is_bcast(const char *name) {
  return is(name, "bcast") || is(name, "multicast");
}

/* Fills what the ranks bring, and says what they are to get. */
static void make_data(const char *name, int bytes) {
  size_t part_bytes = bytes / size;
  size_t pair = part_bytes / size;
  int count = bytes / (int) sizeof(double);
  parts = 0;
  last_double = NULL;
  for (int i = 0; i < count; i++) {
    in[i] = rank + 1;
  }
  if (bytes == 0 || is(name, "barrier")) {
    return;
  }
  if (is_bcast(name)) {
    if (rank == 0) {
      fill(all, bytes, 0, 0);
    } else {
      expect_parts(all, 1, bytes, 0);
    }
  } else if (is(name, "allGather") || is(name, "gather")) {
    fill(part, part_bytes, rank, 0);
    if (rank == 0 || is(name, "allGather")) {
      expect_parts(all, size, part_bytes, 0);
    }
  } else if (is(name, "scatter")) {
    for (int other = 0; rank == 0 && other < size; other++) {
      fill(all + other * part_bytes, part_bytes, 0, other);
    }
    expect_parts(part, 1, part_bytes, rank);
  } else if (is(name, "allToAll")) {
    for (int other = 0; other < size; other++) {
      fill(part + other * pair, pair, rank, other);
    }
    expect_parts(all, size, pair, rank);
  } else if (is(name, "scan")) {
    expect_sum(count, rank + 1);
  } else if (is(name, "reduceScatter")) {
    expect_sum(count / size, size);
  } else if (is(name, "exScan")) {
    if (rank > 0) {
      expect_sum(count, rank);
    }
  } else if (rank == 0 || is(name, "allReduce")) {
    expect_sum(count, size);
  }
}

static void call(const char *name, int bytes) {
  int part_bytes = bytes / size;
  int pair = part_bytes / size;
  int count = bytes / (int) sizeof(double);
  if (is(name, "barrier")) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (is_bcast(name)) {
    MPI_Bcast(all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  } else if (is(name, "allGather")) {
    MPI_Allgather(part, part_bytes, MPI_BYTE, all, part_bytes, MPI_BYTE, MPI_COMM_WORLD);
  } else if (is(name, "gather")) {
    MPI_Gather(part, part_bytes, MPI_BYTE, all, part_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  } else if (is(name, "scatter")) {
    MPI_Scatter(all, part_bytes, MPI_BYTE, part, part_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  } else if (is(name, "allToAll")) {
    MPI_Alltoall(part, pair, MPI_BYTE, all, pair, MPI_BYTE, MPI_COMM_WORLD);
  } else if (is(name, "reduce")) {
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  } else if (is(name, "allReduce")) {
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (is(name, "scan")) {
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (is(name, "exScan")) {
    MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (is(name, "reduceScatter")) {
    MPI_Reduce_scatter_block(in, out, count / size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else {
    fail("no such call");
  }
}

/* The seconds of one call. No rank may begin while another is still in the call before. */
static double timed_call(const char *name, int bytes) {
  spoil();
  if (!is(name, "barrier")) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  double begin = MPI_Wtime();
  call(name, bytes);
  double seconds = MPI_Wtime() - begin;
  check();
  return seconds;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The mean time of the calls of a row in microseconds, at the rank where they took longest. */
static double row(const char *name, int bytes, int calls) {
  double own = 0;
  double time;
  for (int i = 0; i < calls; i++) {
    own += timed_call(name, bytes) * 1e6 / calls;
  }
  MPI_Allreduce(&own, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return time;
}

/* Rank 0 says when it is enough. */
static void warm_up(const char *name, int bytes, int calls) {
  double end = MPI_Wtime() + atof(variable("COLLECTIVES_WARM_UP"));
  int more = 1;
  while (more) {
    more = MPI_Wtime() < end;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (more) {
      row(name, bytes, calls);
    }
  }
}

static void time_case(const char *name, int bytes, int rows, FILE *results) {
  double micros[MOST_ROWS];
  int calls = bytes <= FEW_BYTES ? CALLS_OF_FEW_BYTES : 1;
  part = memory(bytes);
  all = memory(bytes);
  in = memory(bytes);
  out = memory(bytes);
  make_data(name, bytes);
  timed_call(name, bytes);
  warm_up(name, bytes, calls);
  for (int i = 0; i < rows; i++) {
    micros[i] = row(name, bytes, calls);
  }
  qsort(micros, rows, sizeof(double), by_size);
  if (rank == 0) {
    double median = (micros[(rows - 1) / 2] + micros[rows / 2]) / 2;
    fprintf(results, "%s %d %.1f %.1f %.1f\n", name, bytes, micros[0], median, micros[rows - 1]);
  }
  free(part);
  free(all);
  free(in);
  free(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  FILE *results = NULL;
  if (rank == 0) {
    results = fopen(variable("COLLECTIVES_RESULTS"), "w");
    if (results == NULL) {
      fail("cannot write to COLLECTIVES_RESULTS");
    }
    printf("{\"schema\":1,\"type\":\"started\"}\n");
    fflush(stdout);
  }
  double begin = MPI_Wtime();
  char *cases = strdup(variable("COLLECTIVES_CASES"));
  for (char *one = strtok(cases, ","); one != NULL; one = strtok(NULL, ",")) {
    char name[32];
    int bytes;
    int rows;
    if (sscanf(one, "%31[^:]:%d:%d", name, &bytes, &rows) != 3 || rows < 1 || rows > MOST_ROWS) {
      fail("COLLECTIVES_CASES: expected CALL:BYTES:TIMES");
    }
    time_case(name, bytes, rows, results);
  }
  printf("{\"schema\":1,\"type\":\"done\",\"rank\":%d,\"seconds\":%.6f}\n", rank, MPI_Wtime() - begin);
  fflush(stdout);
  if (results != NULL && fclose(results) != 0) {
    fail("cannot write to COLLECTIVES_RESULTS");
  }
  free(cases);
#ifdef MPICH_VERSION
  /* MPI_Finalize of MPICH 4.0 over UCX may never return: a process waits for answers of others that don't listen any more. */
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Abort(MPI_COMM_WORLD, 0);
  }
  pause();
#else
  MPI_Finalize();
#endif
  return 0;
}

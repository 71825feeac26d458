/*
 * Times collective calls of MPI, as CollectiveNode does ours; see robber-bench/bin/collectives. COLLECTIVES_CASES holds cases such as
 * barrier:0:20,bcast:67108864:5. Rank 0 writes to COLLECTIVES_RESULTS: call, bytes, and the least, the median and the greatest time in microseconds.
 * Calls go on for COLLECTIVES_WARM_UP seconds before one is timed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEW_BYTES = 1 << 16, CALLS_OF_FEW_BYTES = 100, MOST_BLOCKS = 1000 };

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

/* Calls without data have nothing to check. */
static int has_data;
#define check(right) \
  do { \
    if (has_data && !(right)) { \
      fail("wrong data"); \
    } \
  } while (0)

static void fill(unsigned char *bytes, int count, int value) {
  for (int i = 0; i < count; i++) {
    bytes[i] = (unsigned char) (value + i);
  }
}

static void check_gathered(int part_bytes) {
  for (int from = 0; from < size; from++) {
    check(all[(size_t) from * part_bytes] == (unsigned char) from);
  }
}

static int is_bcast(const char *name) {
  return strcmp(name, "bcast") == 0 || strcmp(name, "multicast") == 0;
}

static void call(const char *name, int bytes) {
  int part_bytes = bytes / size;
  int count = bytes / (int) sizeof(double);
  double sum = size * (size + 1) / 2.0;
  has_data = bytes > 0;
  if (strcmp(name, "barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (is_bcast(name)) {
    MPI_Bcast(all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    check(all[bytes - 1] == (unsigned char) (bytes - 1));
  } else if (strcmp(name, "allGather") == 0) {
    MPI_Allgather(part, part_bytes, MPI_BYTE, all, part_bytes, MPI_BYTE, MPI_COMM_WORLD);
    check_gathered(part_bytes);
  } else if (strcmp(name, "gather") == 0) {
    MPI_Gather(part, part_bytes, MPI_BYTE, all, part_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
      check_gathered(part_bytes);
    }
  } else if (strcmp(name, "scatter") == 0) {
    MPI_Scatter(all, part_bytes, MPI_BYTE, part, part_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    check(part[0] == (unsigned char) ((size_t) rank * part_bytes));
  } else if (strcmp(name, "allToAll") == 0) {
    int pair = part_bytes / size;
    MPI_Alltoall(part, pair, MPI_BYTE, all, pair, MPI_BYTE, MPI_COMM_WORLD);
    for (int from = 0; from < size; from++) {
      check(all[(size_t) from * pair] == (unsigned char) (from + rank * pair));
    }
  } else if (strcmp(name, "reduce") == 0) {
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    check(rank > 0 || out[count - 1] == sum);
  } else if (strcmp(name, "allReduce") == 0) {
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(out[count - 1] == sum);
  } else if (strcmp(name, "scan") == 0) {
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(out[count - 1] == (rank + 1) * (rank + 2) / 2.0);
  } else if (strcmp(name, "exScan") == 0) {
    MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(rank == 0 || out[count - 1] == rank * (rank + 1) / 2.0);
  } else if (strcmp(name, "reduceScatter") == 0) {
    MPI_Reduce_scatter_block(in, out, count / size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    check(out[count / size - 1] == sum);
  } else {
    fail("no such call");
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *) a;
  double y = *(const double *) b;
  return (x > y) - (x < y);
}

/* The time of a call in a row of calls, in microseconds. */
static double block(const char *name, int bytes, int calls) {
  double time;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  for (int i = 0; i < calls; i++) {
    call(name, bytes);
  }
  double own = (MPI_Wtime() - begin) * 1e6 / calls;
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
      block(name, bytes, calls);
    }
  }
}

static void time_case(const char *name, int bytes, int blocks, FILE *results) {
  double micros[MOST_BLOCKS];
  int calls = bytes <= FEW_BYTES ? CALLS_OF_FEW_BYTES : 1;
  int is_scatter = strcmp(name, "scatter") == 0 || is_bcast(name);
  part = memory(bytes);
  all = memory(bytes);
  in = memory(bytes);
  out = memory(bytes);
  fill(part, bytes, rank);
  if (is_scatter && rank == 0) {
    fill(all, bytes, 0);
  }
  for (int i = 0; i < bytes / (int) sizeof(double); i++) {
    in[i] = rank + 1;
  }
  call(name, bytes);
  warm_up(name, bytes, calls);
  for (int i = 0; i < blocks && i < MOST_BLOCKS; i++) {
    micros[i] = block(name, bytes, calls);
  }
  qsort(micros, blocks, sizeof(double), by_size);
  if (rank == 0) {
    fprintf(results, "%s %d %.1f %.1f %.1f\n", name, bytes, micros[0], micros[blocks / 2], micros[blocks - 1]);
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
    int blocks;
    if (sscanf(one, "%31[^:]:%d:%d", name, &bytes, &blocks) != 3 || blocks < 1 || blocks > MOST_BLOCKS) {
      fail("COLLECTIVES_CASES: expected CALL:BYTES:TIMES");
    }
    time_case(name, bytes, blocks, results);
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

/*
 * One MPI_Bcast of ROBBER_DATA_SIZE bytes from memory to memory, checked; see robber-bench/bin/mpi-bcast. Lines of JSON on
 * standard output tell `robber-cli emulate` when it began and when each node was done.
 */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The number at a place of the data: the mixing of splitmix64, so that bytes in a wrong place are seen. */
static uint64_t word(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static uint64_t number(const char *variable) {
  const char *text = getenv(variable);
  char *end;
  uint64_t value = text == NULL ? 0 : strtoull(text, &end, 10);
  if (text == NULL || end == text || *end != '\0') {
    fprintf(stderr, "%s: expected a number\n", variable);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return value;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  uint64_t bytes = number("ROBBER_DATA_SIZE");
  uint64_t seed = number("ROBBER_SEED");
  uint64_t words = (bytes + 7) / 8;
  if (words * 8 > INT_MAX) {
    fprintf(stderr, "at most %d bytes go with one MPI_Bcast\n", INT_MAX);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  uint64_t *data = malloc(words * 8);
  if (data == NULL) {
    fprintf(stderr, "no memory for %llu bytes\n", (unsigned long long) bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  /* All touch their memory before the time begins, as for the root. */
  for (uint64_t i = 0; i < words; i++) {
    data[i] = rank == 0 ? word(seed, i) : 0;
  }
  MPI_Barrier(MPI_COMM_WORLD);

  double begin = MPI_Wtime();
  if (rank == 0) {
    printf("{\"schema\":1,\"type\":\"started\"}\n");
    fflush(stdout);
  }
  MPI_Bcast(data, (int) bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - begin;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    /* The root is through when it has handed over its last byte; what counts is that all are. */
    seconds = MPI_Wtime() - begin;
  }
  printf("{\"schema\":1,\"type\":\"done\",\"rank\":%d,\"seconds\":%.6f}\n", rank, seconds);
  fflush(stdout);

  const unsigned char *got = (const unsigned char *) data;
  for (uint64_t i = 0; i < bytes; i++) {
    if (got[i] != (unsigned char) (word(seed, i / 8) >> (i % 8 * 8))) {
      fprintf(stderr, "rank %d: byte %llu is wrong\n", rank, (unsigned long long) i);
      MPI_Abort(MPI_COMM_WORLD, 7);
    }
  }
  free(data);
  MPI_Finalize();
  return 0;
}

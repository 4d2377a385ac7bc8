/* Derived types: their layouts, messages of them, and packed data. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"

#define ROWS 6
#define COLUMNS 7

static int before, after;

/* Sends values of one type and receives them as ints, and the other way round. */
static void exchange_both_ways(MPI_Datatype type, int count, const int* data, int* in,
                               const int* expected, int ints, int in_ints) {
    int packed[200];
    int back[200];
    MPI_Status status;
    int number = -1;
    MPI_Sendrecv(data, count, type, after, 1, packed, 200, MPI_INT, before, 1, WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &number);
    EXPECT(number == ints);
    EXPECT(memcmp(packed, expected, (size_t)ints * sizeof(int)) == 0);
    memset(in, 0, (size_t)in_ints * sizeof(int));
    MPI_Sendrecv(packed, ints, MPI_INT, after, 2, in, count, type, before, 2, WORLD, &status);
    MPI_Get_count(&status, type, &number);
    EXPECT(number == count);
    MPI_Get_elements(&status, type, &number);
    EXPECT(number == ints);
    /* The values are where the type says, and the gaps are as before. */
    int at = 0;
    MPI_Pack(in, count, type, back, sizeof back, &at, WORLD);
    EXPECT(at == ints * (int)sizeof(int));
    EXPECT(memcmp(back, expected, (size_t)at) == 0);
    int sum = 0;
    int expected_sum = 0;
    for (int i = 0; i < in_ints; ++i) {
        sum += in[i];
    }
    for (int i = 0; i < ints; ++i) {
        expected_sum += expected[i];
    }
    EXPECT(sum == expected_sum);
}

static void move_columns(void) {
    int matrix[ROWS * COLUMNS];
    int in[ROWS * COLUMNS];
    int expected[ROWS * 2];
    MPI_Datatype column;
    MPI_Datatype narrow;
    MPI_Aint lower;
    MPI_Aint extent;
    int bytes;
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        matrix[i] = i + 1;
    }
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_size(column, &bytes);
    MPI_Type_get_extent(column, &lower, &extent);
    EXPECT(bytes == ROWS * 4 && lower == 0 && extent == ((ROWS - 1) * COLUMNS + 1) * 4);
    for (int i = 0; i < ROWS; ++i) {
        expected[i] = i * COLUMNS + 1;
        expected[ROWS + i] = i * COLUMNS + 2;
    }
    exchange_both_ways(column, 1, matrix, in, expected, ROWS, ROWS * COLUMNS);
    /* With the extent of one int, two columns are neighbours. */
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Type_get_extent(narrow, &lower, &extent);
    EXPECT(lower == 0 && extent == 4);
    MPI_Type_get_true_extent(narrow, &lower, &extent);
    EXPECT(lower == 0 && extent == ((ROWS - 1) * COLUMNS + 1) * 4);
    exchange_both_ways(narrow, 2, matrix, in, expected, 2 * ROWS, ROWS * COLUMNS);
    MPI_Type_free(&column);
    MPI_Type_free(&narrow);
    EXPECT(column == MPI_DATATYPE_NULL);
    MPI_Type_create_hvector(3, 2, 5 * sizeof(int), MPI_INT, &column);
    MPI_Type_commit(&column);
    const int six[] = {1, 2, 6, 7, 11, 12};
    exchange_both_ways(column, 1, matrix, in, six, 6, ROWS * COLUMNS);
    MPI_Type_free(&column);
}

static void move_parts(void) {
    int data[60];
    int in[60];
    for (int i = 0; i < 60; ++i) {
        data[i] = 100 + i;
    }
    const int lengths[] = {2, 0, 3, 1};
    const int places[] = {7, 3, 0, 12};
    const int expected[] = {107, 108, 100, 101, 102, 112};
    MPI_Datatype type;
    MPI_Type_indexed(4, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange_both_ways(type, 1, data, in, expected, 6, 60);
    MPI_Type_free(&type);
    const MPI_Aint bytes_at[] = {28, 12, 0, 48};
    MPI_Type_create_hindexed(4, lengths, bytes_at, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange_both_ways(type, 1, data, in, expected, 6, 60);
    MPI_Type_free(&type);
    const int pairs[] = {107, 108, 103, 104, 100, 101, 112, 113};
    MPI_Type_create_indexed_block(4, 2, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange_both_ways(type, 1, data, in, pairs, 8, 60);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_block(4, 2, bytes_at, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange_both_ways(type, 1, data, in, pairs, 8, 60);
    MPI_Type_free(&type);
    /* A part of a 4 x 5 x 3 array */
    const int sizes[] = {4, 5, 3};
    const int parts[] = {2, 2, 1};
    const int starts[] = {1, 3, 2};
    const int part[] = {100 + 15 + 9 + 2, 100 + 15 + 12 + 2, 100 + 30 + 9 + 2, 100 + 30 + 12 + 2};
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lower, &extent);
    EXPECT(lower == 0 && extent == 60 * 4);
    exchange_both_ways(type, 1, data, in, part, 4, 60);
    MPI_Type_free(&type);
    const int turned_sizes[] = {3, 5, 4};
    const int turned_parts[] = {1, 2, 2};
    const int turned_starts[] = {2, 3, 1};
    MPI_Type_create_subarray(3, turned_sizes, turned_parts, turned_starts, MPI_ORDER_FORTRAN,
                             MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange_both_ways(type, 1, data, in, part, 4, 60);
    MPI_Type_free(&type);
    /* Types of types: two rows of a vector of pairs */
    MPI_Datatype pair;
    MPI_Datatype row;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 3, pair, &row);
    MPI_Type_contiguous(2, row, &type);
    MPI_Type_commit(&type);
    const int eight[] = {100, 101, 106, 107, 108, 109, 114, 115};
    exchange_both_ways(type, 1, data, in, eight, 8, 60);
    MPI_Type_free(&pair);
    MPI_Type_free(&row);
    MPI_Datatype copy;
    MPI_Type_dup(type, &copy);
    MPI_Type_free(&type);
    exchange_both_ways(copy, 1, data, in, eight, 8, 60);
    MPI_Type_free(&copy);
}

struct particle {
    char kind;
    double place[3];
    short charge;
};

static void move_structs(void) {
    struct particle out[5];
    struct particle in[5];
    MPI_Datatype type;
    MPI_Aint lower;
    MPI_Aint extent;
    int bytes;
    MPI_Status status;
    const int lengths[] = {1, 3, 1};
    const MPI_Aint places[] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                               offsetof(struct particle, charge)};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lower, &extent);
    EXPECT(bytes == 27 && lower == 0 && extent == (MPI_Aint)sizeof(struct particle));
    memset(in, 0x5a, sizeof in);
    for (int i = 0; i < 5; ++i) {
        out[i] = (struct particle){(char)i, {rank, i, rank * i}, (short)(7 * i)};
    }
    MPI_Request requests[2];
    MPI_Irecv(in, 5, type, before, 3, WORLD, &requests[0]);
    MPI_Isend(out, 5, type, after, 3, WORLD, &requests[1]);
    MPI_Type_free(&type); /* the messages under way keep it */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 5; ++i) {
        EXPECT(in[i].kind == i && in[i].place[0] == before && in[i].place[2] == before * i);
        EXPECT(in[i].charge == 7 * i && ((char*)&in[i])[1] == 0x5a);
    }
    /* A part of a value: MPI_Get_count is undefined, MPI_Get_elements counts. */
    int number = -1;
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Send(out, 9, MPI_CHAR, rank, 4, WORLD);
    MPI_Recv(in, 5, type, rank, 4, WORLD, &status);
    MPI_Get_count(&status, type, &number);
    EXPECT(number == MPI_UNDEFINED);
    MPI_Get_elements(&status, type, &number);
    EXPECT(number == 2);
    MPI_Type_free(&type);
}

/* Values at absolute addresses, from MPI_BOTTOM on */
static void move_from_anywhere(void) {
    int one = 10 + rank;
    double other = 0.5 * rank;
    int got_one = -1;
    double got_other = -1;
    MPI_Aint places[2];
    MPI_Datatype type;
    MPI_Datatype got_type;
    const int lengths[] = {1, 1};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Get_address(&one, &places[0]);
    MPI_Get_address(&other, &places[1]);
    EXPECT(MPI_Aint_diff(MPI_Aint_add(places[0], 8), places[0]) == 8);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Get_address(&got_one, &places[0]);
    MPI_Get_address(&got_other, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &got_type);
    MPI_Type_commit(&got_type);
    MPI_Sendrecv(MPI_BOTTOM, 1, type, after, 5, MPI_BOTTOM, 1, got_type, before, 5, WORLD, IGNORE);
    EXPECT(got_one == 10 + before && got_other == 0.5 * before);
    MPI_Type_free(&type);
    MPI_Type_free(&got_type);
}

static void pack_by_hand(void) {
    char buffer[64];
    int at = 0;
    int bytes = 0;
    int number = 3 + rank;
    double values[2] = {1.5, 2.5 + rank};
    MPI_Pack_size(2, MPI_DOUBLE, WORLD, &bytes);
    EXPECT(bytes == 16);
    MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &at, WORLD);
    MPI_Pack(values, 2, MPI_DOUBLE, buffer, sizeof buffer, &at, WORLD);
    EXPECT(at == 20);
    MPI_Sendrecv_replace(buffer, at, MPI_PACKED, after, 6, before, 6, WORLD, IGNORE);
    at = 0;
    MPI_Unpack(buffer, sizeof buffer, &at, &number, 1, MPI_INT, WORLD);
    MPI_Unpack(buffer, sizeof buffer, &at, values, 2, MPI_DOUBLE, WORLD);
    EXPECT(at == 20 && number == 3 + before && values[1] == 2.5 + before);
}

static void name_types(void) {
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Datatype type;
    MPI_Type_get_name(MPI_DOUBLE, name, &length);
    EXPECT(strcmp(name, "MPI_DOUBLE") == 0 && length == 10);
    MPI_Type_contiguous(0, MPI_INT, &type);
    MPI_Type_get_name(type, name, &length);
    EXPECT(length == 0);
    MPI_Type_set_name(type, "nothing");
    MPI_Type_get_name(type, name, &length);
    EXPECT(strcmp(name, "nothing") == 0 && length == 7);
    /* Values without bytes */
    MPI_Type_commit(&type);
    int number = -1;
    MPI_Status status;
    MPI_Sendrecv(name, 3, type, after, 7, name, 3, type, before, 7, WORLD, &status);
    MPI_Get_count(&status, type, &number);
    EXPECT(number == 0);
    MPI_Type_free(&type);
    const MPI_Datatype types[] = {MPI_BYTE,        MPI_CHAR,
                                  MPI_SHORT,       MPI_INT,
                                  MPI_LONG,        MPI_LONG_LONG,
                                  MPI_FLOAT,       MPI_DOUBLE,
                                  MPI_LONG_DOUBLE, MPI_C_BOOL,
                                  MPI_INT16_T,     MPI_UINT64_T,
                                  MPI_C_COMPLEX,   MPI_C_DOUBLE_COMPLEX,
                                  MPI_2INT,        MPI_SHORT_INT,
                                  MPI_DOUBLE_INT,  MPI_AINT};
    const int sizes[] = {1, 1, 2, 4, 4, 8, 4, 8, 8, 1, 2, 8, 8, 16, 8, 6, 12, 4};
    for (int i = 0; i < 18; ++i) {
        MPI_Type_size(types[i], &length);
        EXPECT(length == sizes[i]);
    }
    /* Names of MPI-1 */
    MPI_Aint extent;
    MPI_Aint lower;
    MPI_Aint upper;
    MPI_Type_hvector(2, 1, 8, MPI_INT, &type);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &lower);
    MPI_Type_ub(type, &upper);
    EXPECT(extent == 12 && lower == 0 && upper == 12);
    MPI_Type_free(&type);
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype both[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_struct(2, lengths, places, both, &type);
    MPI_Type_size(type, &length);
    EXPECT(length == 12);
    MPI_Type_free(&type);
    MPI_Type_hindexed(2, lengths, places, MPI_INT, &type);
    MPI_Address(&length, &extent);
    EXPECT(extent == (MPI_Aint)&length);
    MPI_Type_free(&type);
}

int main(int count, char** words) {
    begin(&count, &words);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    move_columns();
    move_parts();
    move_structs();
    move_from_anywhere();
    pack_by_hand();
    name_types();
    return end();
}

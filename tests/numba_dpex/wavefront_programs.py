"""Nested loops whose iterations depend on those above and to the left: tables of dynamic programming, sweeps.

Each takes two sequences and a table that has one row and one column more, or a few more, than they have elements.
"""

from __future__ import annotations

from numba_dpex import prange


def edit_distance(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            t[i, j] = min(t[i - 1, j] + 1, t[i, j - 1] + 1, t[i - 1, j - 1] + cost)


def longest_common_subsequence(a, b, t):
    """Each element is stored in one of two branches."""
    for i in range(a.size):
        for j in range(b.size):
            if a[i] == b[j]:
                t[i + 1, j + 1] = t[i, j] + 1
            else:
                t[i + 1, j + 1] = max(t[i, j + 1], t[i + 1, j])


def local_alignment(a, b, t):
    for i in range(1, t.shape[0]):
        x = a[i - 1]
        for j in range(1, t.shape[1]):
            s = 2 if x == b[j - 1] else -1
            t[i, j] = max(0, t[i - 1, j - 1] + s, t[i - 1, j] - 1, t[i, j - 1] - 1)


def cheapest_path_in_place(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] += min(t[i - 1, j], t[i, j - 1], t[i - 1, j - 1]) % 11


def warped_distance(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            d = abs(a[i - 1] - b[j - 1])
            t[i, j] = d + min(t[i - 1, j], t[i, j - 1], t[i - 1, j - 1])


def two_rows_above(a, b, t):
    for i in range(2, t.shape[0]):
        for j in range(3, t.shape[1]):
            t[i, j] = (t[i - 2, j - 1] + t[i, j - 3] + t[i - 1, j - 2] + t[i - 2, j - 3]) % 41 + a[i - 1]


def only_diagonals(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(3, t.shape[1]):
            t[i, j] = (t[i - 1, j - 3] + 2 * t[i - 1, j - 2]) % 37 + b[j - 1] % 3 + t[i, j - 2] % 5


def above_to_the_right(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1] - 1):
            t[i, j] = min(t[i - 1, j - 1], t[i - 1, j], t[i - 1, j + 1], t[i, j - 1]) + (a[i - 1] * b[j - 1]) % 7


def far_above_to_the_right(a, b, t):
    for i in range(2, t.shape[0]):
        for j in range(1, t.shape[1] - 3):
            t[i, j] = (t[i - 1, j + 3] + t[i - 2, j + 2] + t[i, j - 1]) % 43 + a[i - 1]


def sweep(a, b, t):
    """Reads elements before others store them, too."""
    for i in range(1, t.shape[0] - 1):
        for j in range(1, t.shape[1] - 1):
            t[i, j] = (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] + t[i + 1, j - 1] + t[i, j]) % 45


def maximum_above_by_a_condition(a, b, t):
    """The element above to the right exists in some iterations only."""
    n = t.shape[1]
    for i in range(1, t.shape[0]):
        for j in range(1, n):
            above = t[i - 1, j + 1] if j + 1 < n else 0
            t[i, j] = (above + t[i, j - 1]) % 47 + a[i - 1]


def some_elements_are_stored(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            if (a[i - 1] + b[j - 1]) % 3 != 0:
                t[i, j] = (t[i - 1, j] + t[i, j - 1]) % 17 + 1


def stored_twice(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = t[i - 1, j - 1] + 1
            if a[i - 1] > b[j - 1]:
                t[i, j] = (t[i, j] + t[i - 1, j]) % 19
            t[i, j] += t[i, j - 1] % 5


def stored_in_a_loop(a, b, t):
    for i in range(3, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = a[i - 1]
            for k in range(1, 4):
                t[i, j] = max(t[i, j], t[i - 1, j] - k, t[i, j - 1] % (k + 7))


def with_continue(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = t[i - 1, j] % 23 + t[i, j - 1] % 21
            if a[i - 1] == b[j - 1]:
                continue
            t[i, j] = t[i, j] + 1


def sums_of_rows(a, b, t):
    """A variable is carried from one iteration of a row to the next."""
    for i in range(1, t.shape[0]):
        x = a[i - 1]
        for j in range(1, t.shape[1]):
            x = (x + b[j - 1]) % 29
            t[i, j] = (t[i - 1, j] + t[i, j - 1] + x) % 31


def carried_without_a_table(a, b, t):
    """Only variables are carried along a row, and elements are only stored where they were loaded from."""
    for i in range(1, t.shape[0]):
        x = a[i - 1]
        y = 0
        for j in range(1, t.shape[1]):
            x, y = (x + t[i, j]) % 13, x
            if x > 4:
                t[i, j] = t[i - 1, j] % 9 + x + y


def transposed(a, b, t):
    for j in range(1, t.shape[1]):
        for i in range(1, t.shape[0]):
            t[i, j] = min(t[i, j - 1] + a[i - 1], t[i - 1, j] + b[j - 1], t[i - 1, j - 1] + 3)


def repeated(a, b, t):
    for k in range(3):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = (t[i - 1, j] + t[i, j - 1] + t[i - 1, j - 1] + k) % 53


def two_tables(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = (t[i - 1, j] + t[i, j - 1]) % 59 + a[i - 1]
    for i in range(1, t.shape[0]):
        for j in range(2, t.shape[1]):
            t[i, j] = (t[i - 1, j - 1] + t[i, j - 2]) % 57 + b[j - 1]


def two_tables_several_times(a, b, t):
    for k in range(2):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = (t[i - 1, j] + t[i, j - 1]) % 59 + a[i - 1]
        for i in range(1, t.shape[0]):
            for j in range(2, t.shape[1]):
                t[i, j] = (t[i - 1, j - 1] + t[i, j - 2]) % 57 + b[j - 1] + k


def three_parts_several_times(a, b, t):
    """The local memory of a group suffices for two of them."""
    for k in range(2):
        for i in range(1, t.shape[0]):
            for j in range(1, t.shape[1]):
                t[i, j] = (t[i - 1, j] + t[i, j - 1]) % 59 + a[i - 1]
        for i in range(1, t.shape[0]):
            for j in range(2, t.shape[1]):
                t[i, j] = (t[i - 1, j - 1] + t[i, j - 2]) % 57 + b[j - 1] + k
        for i in range(1, t.shape[0]):
            for j in range(2, t.shape[1]):
                t[i, j] = (t[i - 1, j] + t[i, j - 1] + t[i - 1, j - 2]) % 55


def parts(a, b, t):
    """The bounds are variables."""
    for k in range(0, t.shape[0], 7):
        for i in range(max(k, 1), min(k + 7, t.shape[0])):
            for j in range(k % 5 + 1, t.shape[1] - k % 3):
                t[i, j] = max(t[i - 1, j], t[i, j - 1]) % 61 + 1


def above_by_chance(a, b, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            if a[i - 1] > 2 and t[i - 1, j] > 3:
                t[i, j] = t[i - 1, j] - t[i, j - 1] % 3
            elif b[j - 1] > 2:
                t[i, j] = t[i - 1, j - 1] % 67
            else:
                t[i, j] = t[i, j - 1] + 1


PROGRAMS = [
    edit_distance,
    longest_common_subsequence,
    local_alignment,
    cheapest_path_in_place,
    warped_distance,
    two_rows_above,
    only_diagonals,
    above_to_the_right,
    far_above_to_the_right,
    sweep,
    maximum_above_by_a_condition,
    some_elements_are_stored,
    stored_twice,
    stored_in_a_loop,
    with_continue,
    sums_of_rows,
    carried_without_a_table,
    transposed,
    repeated,
    two_tables,
    two_tables_several_times,
    three_parts_several_times,
    parts,
    above_by_chance,
]


# --- programs of other arguments


def affine_gaps(a, b, h, e, f):
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            e[i, j] = max(e[i, j - 1] - 1, h[i, j - 1] - 3)
            f[i, j] = max(f[i - 1, j] - 1, h[i - 1, j] - 3)
            s = 2 if a[i - 1] == b[j - 1] else -1
            h[i, j] = max(0, e[i, j], f[i, j], h[i - 1, j - 1] + s)


def affine_gaps_and_variables(a, b, h, f, best):
    """The best score along a row, and the direction of each step."""
    for i in range(1, h.shape[0]):
        e = -100
        for j in range(1, h.shape[1]):
            e = max(e - 1, h[i, j - 1] - 3)
            down = max(f[i - 1, j] - 1, h[i - 1, j] - 3)
            f[i, j] = down
            score = max(0, e, down, h[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1))
            h[i, j] = score
            if score == e:
                best[i, j] = 1
            elif score == down:
                best[i, j] = 2


def batch(a, b, tables):
    for k in prange(tables.shape[0]):
        for i in range(1, tables.shape[1]):
            for j in range(1, tables.shape[2]):
                cost = 0 if a[i - 1] == b[j - 1] else k
                tables[k, i, j] = min(tables[k, i - 1, j] + 1, tables[k, i, j - 1] + 1, tables[k, i - 1, j - 1] + cost)


def between(a, t, first_row, last_row, first_column, last_column):
    for i in range(first_row, last_row):
        for j in range(first_column, last_column):
            t[i, j] = (t[i - 1, j] + t[i, j - 1] + t[i - 1, j - 1]) % 71 + a[0]


def two_arrays(s, t):
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = (t[i - 1, j] + t[i, j - 1] + s[i - 1, j] + s[i, j]) % 73


def steps_of_alignment(a, b, t, come_from, lengths):
    """Two arrays are only stored."""
    for i in range(1, t.shape[0]):
        for j in range(1, t.shape[1]):
            best = t[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1)
            come_from[i, j] = 0
            if t[i - 1, j] - 1 > best:
                best = t[i - 1, j] - 1
                come_from[i, j] = 1
            if t[i, j - 1] - 1 > best:
                best = t[i, j - 1] - 1
                come_from[i, j] = 2
            t[i, j] = best
            lengths[i, j] = i + j + come_from[i, j]

"""The kernels in Python, each written as it would be in a program. The names are those of problems.py."""

from __future__ import annotations

import numba_dpex as ndx
import numpy as np
from numba_dpex import kernel_api as kapi

float32, float64, int32, uint8, uint32, uint64 = np.float32, np.float64, np.int32, np.uint8, np.uint32, np.uint64

WARP = 32
TILE = 16
STEPS = 4
BINS = 64
GROUP_OF_BINS = 1024
ROW_GROUP = 256
NETWORK = (
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6),
    (0, 4), (3, 7), (1, 5), (2, 6), (1, 4), (3, 6), (2, 4), (3, 5), (3, 4),
)  # fmt: skip


# Rows of odd length: less their mean, divided by their deviation.
@ndx.kernel
def normalised_row(item: kapi.Item, x, y):
    i = item.get_id(0)
    total = float32(0)
    for k in range(x.shape[1]):
        total += x[i, k]
    mean = total / float32(x.shape[1])
    squares = float32(0)
    for k in range(x.shape[1]):
        squares += (x[i, k] - mean) * (x[i, k] - mean)
    scale = 1 / (squares / float32(x.shape[1]) + float32(1e-5))
    for k in range(x.shape[1]):
        y[i, k] = (x[i, k] - mean) * scale


# Pointers: sums of linked lists.
@ndx.kernel
def list_sum(item: kapi.Item, heads, following, values, sums):
    i = item.get_id(0)
    total = float32(0)
    node = heads[i]
    while node >= 0:
        total += values[node]
        node = following[node]
    sums[i] = total


# Pointers: depths of keys in a binary search tree.
@ndx.kernel
def tree_depth(item: kapi.Item, keys, left, right, wanted, depths):
    i = item.get_id(0)
    key = wanted[i]
    node = int32(0)
    depth = 0
    while node >= 0 and keys[node] != key:
        node = left[node] if key < keys[node] else right[node]
        depth += 1
    depths[i] = depth if node >= 0 else -1


# Pointers: a hash table with linear probing.
@ndx.kernel
def hash_value(item: kapi.Item, table, values, wanted, found):
    i = item.get_id(0)
    key = wanted[i]
    mask = uint32(table.size - 1)
    slot = (key * uint32(2654435761)) & mask
    value = uint32(0)
    while table[slot] != 0:
        if table[slot] == key:
            value = values[slot]
            break
        slot = (slot + uint32(1)) & mask
    found[i] = value


# A switch: one of eight operations for each element.
@ndx.kernel
def operation(item: kapi.Item, codes, a, b, out):
    i = item.get_id(0)
    code, x, y = codes[i], a[i], b[i]
    if code == 0:
        out[i] = x + y
    elif code == 1:
        out[i] = x - y
    elif code == 2:
        out[i] = x * y
    elif code == 3:
        out[i] = x / y
    elif code == 4:
        out[i] = min(x, y)
    elif code == 5:
        out[i] = max(x, y)
    elif code == 6:
        out[i] = x * x
    else:
        out[i] = -x


# Bytes: an image over another.
@ndx.kernel
def blended(item: kapi.Item, above, below, out):
    i = item.get_id(0)
    opacity = int32(above[i, 3])
    for c in range(3):
        out[i, c] = (int32(above[i, c]) * opacity + int32(below[i, c]) * (255 - opacity) + 127) // 255
    out[i, 3] = 255


# Bytes with sign: a quantised matrix times a vector.
@ndx.kernel
def quantised_row(item: kapi.Item, matrix, x, y):
    i = item.get_id(0)
    total = int32(0)
    for k in range(matrix.shape[1]):
        total += int32(matrix[i, k]) * int32(x[k])
    y[i] = total


# Integers of 16 bits: a sum with saturation.
@ndx.kernel
def mixed_sample(item: kapi.Item, a, b, out):
    i = item.get_id(0)
    out[i] = max(min(int32(a[i]) + int32(b[i]), 32767), -32768)


# Complex numbers: Horner's scheme.
@ndx.kernel
def complex_polynomial(item: kapi.Item, z, coefficients, out):
    i = item.get_id(0)
    x = z[i]
    total = coefficients[coefficients.size - 1]
    for k in range(coefficients.size - 2, -1, -1):
        total = total * x + coefficients[k]
    out[i] = total


# Floats and doubles together: a filter.
@ndx.kernel
def filtered(item: kapi.Item, x, weights, y):
    i = item.get_id(0)
    total = float64(0)
    for k in range(weights.size):
        total += weights[k] * x[i + k]
    y[i] = total


# Three dimensions of odd size, x first as in CUDA: a gradient.
@ndx.kernel
def gradient(item: kapi.Item, a, out):
    x, y, z = item.get_id(0) + 1, item.get_id(1) + 1, item.get_id(2) + 1
    dx = a[z, y, x + 1] - a[z, y, x - 1]
    dy = a[z, y + 1, x] - a[z, y - 1, x]
    dz = a[z + 1, y, x] - a[z - 1, y, x]
    out[z, y, x] = dx * dx + dy * dy + dz * dz


# Two dimensions of odd size, x first: grey values.
@ndx.kernel
def grey(item: kapi.Item, planes, out):
    x, y = item.get_id(0), item.get_id(1)
    red, green, blue = planes[0, y, x], planes[1, y, x], planes[2, y, x]
    out[y, x] = float32(0.299) * red + float32(0.587) * green + float32(0.114) * blue


@ndx.device_func
def ones(x):
    x = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    x = (x & uint64(0x3333333333333333)) + ((x >> uint64(2)) & uint64(0x3333333333333333))
    x = (x + (x >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return (x * uint64(0x0101010101010101)) >> uint64(56)


# Bits: the description of 256 bits that differs least.
@ndx.kernel
def nearest_bits(item: kapi.Item, queries, known, best):
    i = item.get_id(0)
    least = uint64(257)
    which = 0
    for k in range(known.shape[0]):
        distance = uint64(0)
        for w in range(4):
            distance += ones(queries[i, w] ^ known[k, w])
        if distance < least:
            least = distance
            which = k
    best[i] = which


@ndx.device_func
def spread_bits(x):
    x = x & uint32(0x3FF)
    x = (x | (x << uint32(16))) & uint32(0x30000FF)
    x = (x | (x << uint32(8))) & uint32(0x300F00F)
    x = (x | (x << uint32(4))) & uint32(0x30C30C3)
    return (x | (x << uint32(2))) & uint32(0x9249249)


# Bits: Morton codes.
@ndx.kernel
def morton(item: kapi.Item, points, codes):
    i = item.get_id(0)
    code = uint32(0)
    for d in range(3):
        code |= spread_bits(uint32(min(max(points[i, d] * 1024, float32(0)), float32(1023)))) << uint32(d)
    codes[i] = code


# Bits: a random number generator.
@ndx.kernel
def points_in_circle(item: kapi.Item, seeds, counts, rounds):
    i = item.get_id(0)
    state = seeds[i]
    count = 0
    for _ in range(rounds):
        state ^= state << uint32(13)
        state ^= state >> uint32(17)
        state ^= state << uint32(5)
        x = float32(state & uint32(0xFFFF)) / float32(65536)
        y = float32(state >> uint32(16)) / float32(65536)
        if x * x + y * y < 1:
            count += 1
    counts[i] = count


# An early exit, on bytes: where a text has a pattern.
@ndx.kernel
def is_match(item: kapi.Item, text, pattern, matches):
    i = item.get_id(0)
    same = 1
    for k in range(pattern.size):
        if text[i + k] != pattern[k]:
            same = 0
            break
    matches[i] = same


# Loops of unequal length: Collatz's sequence.
@ndx.kernel
def collatz(item: kapi.Item, steps):
    n = item.get_id(0) + 1
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    steps[item.get_id(0)] = count


# Prefix codes, by tables of bytes.
@ndx.kernel
def decoded_block(item: kapi.Item, stream, starts, lengths, symbols, out):
    i = item.get_id(0)
    at = starts[i]
    for k in range(out.shape[1]):
        bits = (int32(stream[at >> 3]) << 8) | int32(stream[(at >> 3) + 1])
        code = (bits >> (8 - (at & 7))) & 255
        out[i, k] = symbols[code]
        at += lengths[code]


# Base64, by a table of bytes.
@ndx.kernel
def base64_group(item: kapi.Item, text, table, out):
    i = item.get_id(0)
    word = uint32(0)
    for k in range(4):
        word = (word << uint32(6)) | uint32(table[text[4 * i + k]])
    out[3 * i] = word >> uint32(16)
    out[3 * i + 1] = (word >> uint32(8)) & uint32(255)
    out[3 * i + 2] = word & uint32(255)


# Numbers of variable length in a stream of bytes.
@ndx.kernel
def varint_block(item: kapi.Item, stream, starts, out):
    i = item.get_id(0)
    at = starts[i]
    for k in range(out.shape[1]):
        value, shift = uint32(0), uint32(0)
        while True:
            byte = stream[at]
            at += 1
            value |= uint32(byte & 127) << shift
            if byte < 128:
                break
            shift += uint32(7)
        out[i, k] = value


# A sparse matrix times a vector.
@ndx.kernel
def sparse_row(item: kapi.Item, values, columns, starts, x, y):
    row = item.get_id(0)
    total = float32(0)
    for k in range(starts[row], starts[row + 1]):
        total += values[k] * x[columns[k]]
    y[row] = total


# Run lengths of rows of bytes.
@ndx.kernel
def runs(item: kapi.Item, x, values, lengths, counts):
    row = item.get_id(0)
    count = 0
    value, length = x[row, 0], 1
    for k in range(1, x.shape[1]):
        if x[row, k] == value and length < 255:
            length += 1
        else:
            values[row, count] = value
            lengths[row, count] = length
            count += 1
            value, length = x[row, k], 1
    values[row, count] = value
    lengths[row, count] = length
    counts[row] = count + 1


# A banded matrix times a vector.
@ndx.kernel
def banded_row(item: kapi.Item, diagonals, x, y):
    i = item.get_id(0)
    half = diagonals.shape[0] // 2
    total = float64(0)
    for d in range(-half, half + 1):
        if 0 <= i + d < x.size:
            total += diagonals[d + half, i] * x[i + d]
    y[i] = total


# A sorting network in a private array.
@ndx.kernel
def sorted_eight(item: kapi.Item, x, y):
    i = item.get_id(0)
    own = kapi.PrivateArray(8, x.dtype)
    for k in range(8):
        own[k] = x[i, k]
    for p, q in NETWORK:
        a, b = own[p], own[q]
        own[p], own[q] = min(a, b), max(a, b)
    for k in range(8):
        y[i, k] = own[k]


# Small matrices in private arrays: five equations by LU decomposition.
@ndx.kernel
def solved_five(item: kapi.Item, matrices, sides, solutions):
    i = item.get_id(0)
    a = kapi.PrivateArray((5, 5), float64)
    x = kapi.PrivateArray(5, float64)
    for r in range(5):
        for c in range(5):
            a[r, c] = matrices[i, r, c]
        x[r] = sides[i, r]
    for k in range(5):
        for r in range(k + 1, 5):
            factor = a[r, k] / a[k, k]
            for c in range(k + 1, 5):
                a[r, c] -= factor * a[k, c]
            x[r] -= factor * x[k]
    for r in range(4, -1, -1):
        for c in range(r + 1, 5):
            x[r] -= a[r, c] * x[c]
        x[r] /= a[r, r]
    for r in range(5):
        solutions[i, r] = x[r]


# Insertion into private arrays: the four nearest points.
@ndx.kernel
def nearest_four(item: kapi.Item, queries, points, nearest):
    i = item.get_id(0)
    distances = kapi.PrivateArray(4, float32)
    which = kapi.PrivateArray(4, int32)
    for k in range(4):
        distances[k] = 1e30
        which[k] = -1
    x, y = queries[i, 0], queries[i, 1]
    for p in range(points.shape[0]):
        dx, dy = points[p, 0] - x, points[p, 1] - y
        distance = dx * dx + dy * dy
        if distance < distances[3]:
            k = 3
            while k > 0 and distances[k - 1] > distance:
                distances[k] = distances[k - 1]
                which[k] = which[k - 1]
                k -= 1
            distances[k] = distance
            which[k] = p
    for k in range(4):
        nearest[i, k] = which[k]


# A table with linear interpolation.
@ndx.kernel
def interpolated(item: kapi.Item, x, table, y):
    i = item.get_id(0)
    at = x[i] * float32(table.size - 1)
    low = min(int(at), table.size - 2)
    part = at - float32(low)
    y[i] = table[low] * (1 - part) + table[low + 1] * part


# A cellular automaton on bits.
@ndx.kernel
def rule_110(item: kapi.Item, x, y):
    i = item.get_id(0)
    before = x[i - 1] if i > 0 else x[x.size - 1]
    after = x[i + 1] if i < x.size - 1 else x[0]
    centre = x[i]
    left = (centre >> uint32(1)) | (before << uint32(31))
    right = (centre << uint32(1)) | (after >> uint32(31))
    y[i] = (centre | right) & ~(left & centre & right)


# Gauss-Seidel: elements of one colour.
@ndx.kernel
def relaxed(item: kapi.Item, f, u, colour):
    y, x = item.get_id(0) + 1, item.get_id(1)
    if 0 < x < u.shape[1] - 1 and (x + y) % 2 == colour:
        u[y, x] = 0.25 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - f[y, x])


# A tile with a halo, and a barrier for each of several steps: heat, of which a group of 16 x 16 keeps 8 x 8.
@ndx.kernel
def heat_steps(item: kapi.NdItem, u, out, now, after):
    group = item.get_group()
    ty, tx = item.get_local_id(0), item.get_local_id(1)
    y = group.get_group_id(0) * (TILE - 2 * STEPS) + ty - STEPS
    x = group.get_group_id(1) * (TILE - 2 * STEPS) + tx - STEPS
    inside = 0 <= y < u.shape[0] and 0 <= x < u.shape[1]
    now[ty, tx] = u[y, x] if inside else float32(0)
    kapi.group_barrier(group)
    for step in range(1, STEPS + 1):
        if step <= tx < TILE - step and step <= ty < TILE - step:
            around = now[ty - 1, tx] + now[ty + 1, tx] + now[ty, tx - 1] + now[ty, tx + 1]
            after[ty, tx] = now[ty, tx] + float32(0.1) * (around - 4 * now[ty, tx])
        kapi.group_barrier(group)
        now[ty, tx] = after[ty, tx]
        kapi.group_barrier(group)
    if STEPS <= tx < TILE - STEPS and STEPS <= ty < TILE - STEPS and inside:
        out[y, x] = now[ty, tx]


# Sums of warps of 32 work-items in local memory, then of the group.
@ndx.kernel
def warp_sums(item: kapi.NdItem, x, sums, tile, of_warps):
    me, group = item.get_local_id(0), item.get_group()
    lane, warp = me % WARP, me // WARP
    tile[me] = x[item.get_global_id(0)]
    step = WARP // 2
    while step > 0:
        kapi.group_barrier(group)
        if lane < step:
            tile[me] += tile[me + step]
        step //= 2
    if lane == 0:
        of_warps[warp] = tile[me]
    kapi.group_barrier(group)
    if me == 0:
        total = float32(0)
        for k in range(item.get_local_range(0) // WARP):
            total += of_warps[k]
        sums[group.get_group_id(0)] = total


# Shuffles: a scan of each sub-group, divided by its total.
@ndx.kernel
def sub_group_shares(item: kapi.NdItem, x, shares):
    group, i = item.get_sub_group(), item.get_global_id(0)
    lane, size = group.get_local_linear_id(), group.get_local_linear_range()
    total = x[i]
    step = 1
    while step < size:
        before = kapi.shift_group_right(group, total, step)
        if lane >= step:
            total += before
        step *= 2
    shares[i] = total / kapi.group_broadcast(group, total, size - 1)


# Atomic updates of local memory by work-groups of 1,024.
@ndx.kernel
def local_bins(item: kapi.NdItem, x, counts, largest, bins, tops):
    me, group = item.get_local_id(0), item.get_group()
    if me < BINS:
        bins[me] = 0
        tops[me] = 0
    kapi.group_barrier(group)
    value = x[item.get_global_id(0)]
    which = int(value * BINS)
    kapi.AtomicRef(bins, which).fetch_add(1)
    kapi.AtomicRef(tops, which).fetch_max(int(value * 1000000))
    kapi.group_barrier(group)
    if me < BINS:
        counts[group.get_group_id(0), me] = bins[me]
        largest[group.get_group_id(0), me] = tops[me]


# Compaction by work-groups of 1,024: a scan of flags by barriers, then scattered stores.
@ndx.kernel
def compacted(item: kapi.NdItem, x, kept, counts, positions):
    me, group = item.get_local_id(0), item.get_group()
    value = x[item.get_global_id(0)]
    flag = int32(1) if value > float32(0.5) else int32(0)
    positions[me] = flag
    step = 1
    while step < GROUP_OF_BINS:
        kapi.group_barrier(group)
        before = positions[me - step] if me >= step else int32(0)
        kapi.group_barrier(group)
        positions[me] += before
        step *= 2
    if flag:
        kept[group.get_group_id(0) * GROUP_OF_BINS + positions[me] - 1] = value
    if me == GROUP_OF_BINS - 1:
        counts[group.get_group_id(0)] = positions[me]


# Rows of odd length by work-groups, with trees in local memory: softmax.
@ndx.kernel
def softmax_row(item: kapi.NdItem, x, y, tree):
    me, group = item.get_local_id(0), item.get_group()
    row, n = group.get_group_id(0), x.shape[1]
    largest = x[row, me]
    for k in range(me, n, ROW_GROUP):
        largest = max(largest, x[row, k])
    tree[me] = largest
    step = ROW_GROUP // 2
    while step > 0:
        kapi.group_barrier(group)
        if me < step:
            tree[me] = max(tree[me], tree[me + step])
        step //= 2
    kapi.group_barrier(group)
    largest = tree[0]
    kapi.group_barrier(group)
    total = float32(0)
    for k in range(me, n, ROW_GROUP):
        value = np.exp(x[row, k] - largest)
        y[row, k] = value
        total += value
    tree[me] = total
    step = ROW_GROUP // 2
    while step > 0:
        kapi.group_barrier(group)
        if me < step:
            tree[me] += tree[me + step]
        step //= 2
    kapi.group_barrier(group)
    for k in range(me, n, ROW_GROUP):
        y[row, k] /= tree[0]


# A reduction: an integral by trapezoids.
@ndx.kernel
def trapezoids(item: kapi.NdItem, low, high, total):
    i, n = item.get_global_id(0), item.get_global_range(0)
    width = (high - low) / n
    a = low + i * width
    b = a + width
    total += 0.5 * width * (4 / (1 + a * a) + 4 / (1 + b * b))

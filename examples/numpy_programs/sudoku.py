"""Many Sudoku puzzles at once: arrays of candidates, from which the constraints remove values until none changes."""

import dpnp as np


def puzzles(rng, count, empty):
    """Return boards of shape (count, 9, 9) with zeros, and their solutions."""
    row, column = np.indices((9, 9))
    pattern = (3 * (row % 3) + row // 3 + column) % 9
    digits = np.argsort(rng.random((count, 9)), axis=1) + 1
    solution = digits[:, pattern]
    return np.where(rng.random((count, 9, 9)) < empty, 0, solution), solution


def houses(candidates):
    """Yield views of (count, houses, cells, digits) for rows, columns and boxes."""
    count = candidates.shape[0]
    yield candidates
    yield candidates.transpose(0, 2, 1, 3)
    boxes = candidates.reshape(count, 3, 3, 3, 3, 9).transpose(0, 1, 3, 2, 4, 5)
    yield boxes.reshape(count, 9, 9, 9)


def propagate(candidates):
    """Remove digits that are certain elsewhere in a house, and keep digits that have one cell left."""
    certain = candidates & (candidates.sum(axis=-1, keepdims=True) == 1)
    taken = np.zeros_like(candidates)
    only = np.zeros_like(candidates)
    for k, (fixed, possible) in enumerate(zip(houses(certain), houses(candidates))):
        blocked = fixed.any(axis=2, keepdims=True) & ~fixed
        single = possible & (possible.sum(axis=2, keepdims=True) == 1)
        if k == 1:
            blocked, single = blocked.transpose(0, 2, 1, 3), single.transpose(0, 2, 1, 3)
        elif k == 2:
            count = candidates.shape[0]
            blocked, single = (
                x.reshape(count, 3, 3, 3, 3, 9).transpose(0, 1, 3, 2, 4, 5).reshape(count, 9, 9, 9)
                for x in (blocked, single)
            )
        taken |= blocked
        only |= single
    remaining = candidates & ~taken
    chosen = only.any(axis=-1, keepdims=True)
    return np.where(chosen, remaining & only, remaining)


def main(count=500, empty=0.55, rounds=30, seed=21):
    rng = np.random.default_rng(seed)
    board, solution = puzzles(rng, count, empty)
    digit = np.arange(1, 10)
    candidates = (board[..., None] == 0) | (board[..., None] == digit)
    used = 0
    for _ in range(rounds):
        used += 1
        following = propagate(candidates)
        if np.array_equal(following, candidates):
            break
        candidates = following
    certain = candidates.sum(axis=-1) == 1
    value = np.where(certain, candidates.argmax(axis=-1) + 1, 0)
    solved = np.all(value == solution, axis=(1, 2))
    return {"value": value, "solved": solved.sum(), "rounds": used, "wrong": np.any(certain & (value != solution))}


SMALL = {"count": 3, "rounds": 5}

if __name__ == "__main__":
    print("Solved puzzles:", main()["solved"])

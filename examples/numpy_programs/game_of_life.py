"""Conway's Game of Life on a torus: the number of live cells over time, and the last board."""

import dpnp as np


def neighbours(board):
    """Count the live cells around each cell."""
    count = np.zeros(board.shape, dtype=np.int8)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                count += np.roll(board, (down, right), axis=(0, 1))
    return count


def main(size=1000, steps=30, seed=1):
    rng = np.random.default_rng(seed)
    board = (rng.random((size, size)) < 0.3).astype(np.int8)
    population = np.empty(steps, dtype=np.int64)
    for step in range(steps):
        count = neighbours(board)
        born = (board == 0) & (count == 3)
        survives = (board == 1) & ((count == 2) | (count == 3))
        board[...] = 0
        board[born | survives] = 1
        population[step] = np.count_nonzero(board)
    return {"population": population, "board": board}


SMALL = {"size": 40, "steps": 5}

if __name__ == "__main__":
    print("Live cells:", main()["population"])

"""Random walks: times of first passage, lead changes, ranges, and the positions' distribution after the last step."""

import dpnp as np


def main(walks=5000, steps=1000, barrier=20, seed=18):
    rng = np.random.default_rng(seed)
    steps_taken = np.where(rng.random((walks, steps)) < 0.5, 1, -1)
    position = steps_taken.cumsum(axis=1)
    crossed = np.abs(position) >= barrier
    reached = crossed.any(axis=1)
    first = crossed.argmax(axis=1)[reached]
    reach = position.max(axis=1) - position.min(axis=1)
    last = position[:, -1]
    counts = np.bincount((last - last.min()) // 2)
    leads = np.sign(position)
    changes = np.count_nonzero(leads[:, 1:] * leads[:, :-1] < 0, axis=1)
    distance2 = np.mean(position.astype(float) ** 2, axis=0)
    exponent = np.polyfit(np.log(np.arange(1, steps + 1)), np.log(distance2), 1)[0]
    return {
        "reached": reached.mean(),
        "first": np.percentile(first, [10, 50, 90]),
        "range": reach.mean(),
        "counts": counts,
        "changes": changes.max(),
        "exponent": exponent,
    }


SMALL = {"walks": 50, "steps": 60, "barrier": 5}

if __name__ == "__main__":
    print(f"Mean squared distances grow as steps to the power of {float(main()['exponent']):.3f}")

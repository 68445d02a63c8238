"""PageRank of a random graph of edges: sums over incoming links, with pages that link to none."""

import dpnp as np


def main(pages=100_000, links=1_000_000, damping=0.85, rounds=30, seed=15):
    rng = np.random.default_rng(seed)
    source = rng.integers(0, pages, links)
    target = (pages * rng.random(links) ** 3).astype(np.int64)
    key = np.unique(source * pages + target)
    source, target = np.divmod(key, pages)
    out = np.bincount(source, minlength=pages)
    dangling = np.flatnonzero(out == 0)
    rank = np.full(pages, 1.0 / pages)
    changes = []
    for _ in range(rounds):
        share = rank / np.maximum(out, 1)
        incoming = np.bincount(target, weights=share[source], minlength=pages)
        lost = rank[dangling].sum()
        new_rank = (1.0 - damping) / pages + damping * (incoming + lost / pages)
        changes.append(float(np.abs(new_rank - rank).sum()))
        rank = new_rank
    top = np.argsort(-rank, kind="stable")[:10]
    return {"rank": rank, "top": top, "changes": np.array(changes), "edges": key.size}


SMALL = {"pages": 50, "links": 300}

if __name__ == "__main__":
    print("Pages of highest rank:", main()["top"])

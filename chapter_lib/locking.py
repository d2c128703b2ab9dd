"""Locked joints: the same mechanism with some of its joints welded.

Stands beside "A Free Hinge Changes the Apparent Load": a locked hinge and a free one are different
boundary conditions, and here the difference is a different tree.
"""

import numpy as np

from .pivots import as_is
from .tree import Body, Tree


def weld(tree, locked, keep=as_is):
    """The tree with the joints of the bodies `locked` rigid at their present angles.

    locked: indices of bodies.  A welded body's inertia goes to the body that carries it, and what
    it carried moves there too; armature and damping of its joint no longer act.  The others keep
    their order, names and angles.
    Raises ValueError for an index out of range, and when a body would be welded to the base.
    """
    locked = set(locked)
    if not locked <= set(range(tree.n)):
        raise ValueError(f"argument locked: expected indices from 0 to {tree.n - 1}, got {locked}")
    inertia = list(tree.inertia)
    for i in sorted(locked, reverse=True):
        parent = tree.parent[i]
        if parent < 0:
            raise ValueError(
                f"argument locked: body {i} ({tree.names[i]!r}) hangs on the base; weld a joint "
                "further out"
            )
        inertia[parent] = keep(inertia[parent] + tree.X[i].T @ inertia[i] @ tree.X[i])
    bodies, number = [], {-1: -1}
    for i in range(tree.n):
        if i in locked:
            continue
        carrier, R, p = tree.parent[i], tree.rotation0[i], tree.offset[i]
        while carrier in locked:
            E, across = (
                tree.X[carrier][:3, :3],
                -tree.X[carrier][:3, :3].T @ tree.X[carrier][3:, :3],
            )
            r = np.array([across[2, 1], across[0, 2], across[1, 0]])  # across is [r]×
            R, p = E.T @ R, r + E.T @ p
            carrier = tree.parent[carrier]
        number[i] = len(bodies)
        bodies.append(
            Body(
                parent=number[carrier],
                joint=tree.joints[i],
                inertia=inertia[i],
                placement=(R, p),
                name=tree.names[i],
                damping=tree.damping[i],
                armature=tree.armature[i],
                allow_degenerate=True,
            )
        )
    free = [i for i in range(tree.n) if i not in locked]
    return Tree.build(bodies, tree.angles[free], tree.base)

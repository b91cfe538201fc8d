"""The symmetries of a game: relabellings that the rules cannot tell from the game itself.

A symmetry changes the labels in observations and actions, and nothing else: the relabelled game has the same
rules, the same distribution of deals and the same rewards. Training in which every seat sees the game through
a symmetry of its own, drawn anew for every game ("Other-Play", Hu et al. 2020), leaves no convention that
rests on arbitrary labels, so that teams trained apart can play together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.envs.engine.features import FeatureLayout

_VALUES = 128
"""Values that an entry of an observation, an ``int8``, can have."""


@dataclass(frozen=True, eq=False)
class Relabelling:
    """One way of relabelling observations and actions.

    Attributes:
        name: what it does, ``""`` for the identity.
        source: ``(F,) int64``, the entry that is shown at each entry.
        values: ``(F, 128) int8``, at each entry the new label of each value.
        actions: ``(A,) int64``, the new number of each action.
    """

    name: str
    source: npt.NDArray[np.int64]
    values: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]

    def then(self, other: "Relabelling") -> "Relabelling":
        """This relabelling, and then the other one of what it has made."""
        if other.name == "":
            return self
        return Relabelling(
            ", ".join(filter(None, (self.name, other.name))),
            self.source[other.source],
            np.take_along_axis(other.values, self.values[other.source].astype(np.int64), 1),
            other.actions[self.actions],
        )


def relabel(
    layout: FeatureLayout,
    n_actions: int,
    name: str = "",
    *,
    moved: Mapping[str, npt.ArrayLike] | None = None,
    renamed: Mapping[str, npt.ArrayLike] | None = None,
    actions: npt.ArrayLike | None = None,
) -> Relabelling:
    """A relabelling in terms of the features of a layout; what is not named stays as it is.

    Args:
        layout, n_actions: of the game.
        name: what the relabelling does; ``""`` for the identity.
        moved: feature -> for each of its entries the one of its entries that is shown there.
        renamed: feature -> for each of its values the new one.
        actions: ``(n_actions,)``, the new number of each action.
    """
    source = np.arange(layout.size)
    values = np.tile(np.arange(_VALUES, dtype=np.int8), (layout.size, 1))
    for feature, order in (moved or {}).items():
        part = layout[feature].slice
        source[part] = part.start + np.asarray(order, np.int64)
    for feature, labels in (renamed or {}).items():
        values[layout[feature].slice, : layout[feature].cardinality] = labels
    numbers = np.arange(n_actions) if actions is None else np.asarray(actions, np.int64)
    return Relabelling(name, source, values, numbers)


@dataclass(frozen=True, eq=False)
class Symmetries:
    """A group of symmetries of a game, numbered from 0, the identity; its arrays cannot be written to.

    With ``F`` features and ``A`` actions, symmetry ``k`` makes of an observation ``features`` (that of
    everything, for critics, too) the one whose entry ``i`` is
    ``labels[label[k, i], features[source[k, i]]]``, and of action ``a`` action ``actions[k, a]``.

    Attributes:
        names: what each of them does, ``""`` for the identity.
        source: ``(count, F) uint16``, the entry that is shown at each entry.
        label: ``(count, F) uint16``, the row of ``labels`` that is read at each entry.
        labels: ``(rows, 128) int8``, new labels by value.
        actions: ``(count, A) int64``, the relabelled number of each action.
        originals: ``(count, A) int64``, the action behind each relabelled number.
    """

    names: tuple[str, ...]
    source: npt.NDArray[np.uint16]
    label: npt.NDArray[np.uint16]
    labels: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    originals: npt.NDArray[np.int64]

    @classmethod
    def of(cls, factors: Sequence[Sequence[Relabelling]]) -> "Symmetries":
        """The direct product of groups of which each begins with the identity; what one of them does must not
        depend on whether it is done before or after another."""
        wholes = list(factors[0])
        for factor in factors[1:]:
            wholes = [whole.then(part) for whole in wholes for part in factor]
        rows = {np.arange(_VALUES, dtype=np.int8).tobytes(): 0}
        label = np.zeros((len(wholes), len(wholes[0].source)), np.uint16)
        for number, whole in enumerate(wholes):
            for entry in np.flatnonzero((whole.values != np.arange(_VALUES, dtype=np.int8)).any(1)):
                label[number, entry] = rows.setdefault(whole.values[entry].tobytes(), len(rows))
        actions = np.stack([whole.actions for whole in wholes])
        arrays: list[npt.NDArray[Any]] = [
            np.stack([whole.source for whole in wholes]).astype(np.uint16),
            label,
            np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), _VALUES),
            actions,
            np.argsort(actions, axis=1),
        ]
        for array in arrays:
            array.setflags(write=False)
        return cls(tuple(whole.name for whole in wholes), *arrays)

    @property
    def count(self) -> int:
        """How many there are, the identity included."""
        return len(self.names)

    def relabel_features(
        self,
        features: npt.NDArray[np.int8],
        which: npt.NDArray[np.integer[Any]],
        out: npt.NDArray[np.int8] | None = None,
    ) -> npt.NDArray[np.int8]:
        """Observations as they look through symmetries.

        Args:
            features: ``(m, F) int8``, compact observations.
            which: ``(m,)`` integers, the number of the symmetry for each of them.
            out: ``(m, F) int8`` to write to, not overlapping ``features``; ``None`` makes a new array.

        Raises:
            ValueError: a shape or a number of a symmetry is not allowed.
        """
        out = self._check("features", features, self.source.shape[1], which, out)
        self._refuse(which, _relabel_features(self.source, self.label, self.labels, features, which, out))
        return out

    def relabel_mask(
        self,
        mask: npt.NDArray[np.int8],
        which: npt.NDArray[np.integer[Any]],
        out: npt.NDArray[np.int8] | None = None,
    ) -> npt.NDArray[np.int8]:
        """Masks of legal actions, ``(m, A) int8``, as they look through symmetries; arguments and errors are
        those of ``relabel_features``."""
        out = self._check("mask", mask, self.actions.shape[1], which, out)
        self._refuse(which, _relabel_mask(self.originals, mask, which, out))
        return out

    def original_actions(
        self, actions: npt.NDArray[np.integer[Any]], which: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.int64]:
        """The actions of the game, ``(m,) int64``, behind actions ``(m,)`` chosen in relabelled observations.

        Raises:
            ValueError: a shape, an action or a number of a symmetry is not allowed.
        """
        if actions.shape != which.shape or which.ndim != 1:
            shapes = f"actions of shape {actions.shape} and which of shape {which.shape}"
            raise ValueError(f"{shapes}: must both be (m,)")
        out = np.empty(len(actions), np.int64)
        bad = _original_actions(self.originals, actions, which, out)
        if bad >= 0 and 0 <= which[bad] < self.count:
            raise ValueError(f"actions[{bad}]={actions[bad]}: must be from 0 to {self.actions.shape[1] - 1}")
        self._refuse(which, bad)
        return out

    def _check(
        self,
        name: str,
        array: npt.NDArray[np.int8],
        width: int,
        which: npt.NDArray[np.integer[Any]],
        out: npt.NDArray[np.int8] | None,
    ) -> npt.NDArray[np.int8]:
        """``out``, made if there is none, when the arguments fit together."""
        shape = (len(which), width)
        if which.ndim != 1 or array.shape != shape:
            shapes = f"{name} of shape {array.shape} and which of shape {which.shape}"
            raise ValueError(f"{shapes}: must be (m, {width}) and (m,)")
        if out is None:
            return np.empty(shape, array.dtype)
        if out.shape != shape or np.may_share_memory(out, array):
            raise ValueError(f"out of shape {out.shape}: must be {shape}, apart from {name} in memory")
        return out

    def _refuse(self, which: npt.NDArray[np.integer[Any]], bad: int) -> None:
        """Refuse entry ``bad`` of ``which``, unless that is -1."""
        if bad >= 0:
            raise ValueError(f"which[{bad}]={which[bad]}: must be from 0 to {self.count - 1}")


# Each of these returns the first row that it cannot relabel, or -1.


@njit(cache=True, nogil=True)
def _relabel_features(source, label, labels, features, which, out):  # type: ignore[no-untyped-def]
    for row in range(features.shape[0]):
        symmetry = which[row]
        if symmetry < 0 or symmetry >= source.shape[0]:
            return row
        for entry in range(features.shape[1]):
            value = features[row, source[symmetry, entry]]
            # Within the table, whatever the value is.
            out[row, entry] = labels[label[symmetry, entry], value & (_VALUES - 1)]
    return -1


@njit(cache=True, nogil=True)
def _relabel_mask(originals, mask, which, out):  # type: ignore[no-untyped-def]
    for row in range(mask.shape[0]):
        symmetry = which[row]
        if symmetry < 0 or symmetry >= originals.shape[0]:
            return row
        for action in range(mask.shape[1]):
            out[row, action] = mask[row, originals[symmetry, action]]
    return -1


@njit(cache=True, nogil=True)
def _original_actions(originals, actions, which, out):  # type: ignore[no-untyped-def]
    for row in range(actions.shape[0]):
        symmetry, action = which[row], actions[row]
        if symmetry < 0 or symmetry >= originals.shape[0] or action < 0 or action >= originals.shape[1]:
            return row
        out[row] = originals[symmetry, action]
    return -1

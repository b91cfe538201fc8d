"""Learned policies on disk: ``NAME.safetensors`` with the weights and ``NAME.json`` that says what they are.

Both are plain data: reading them runs no code. The description names the game, its version, its cards and its
feature layout, and holds a checksum of the weights, so a policy is never loaded into a game that it was not
trained for, nor from a damaged file.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor

from unspoken.agents.amendments import Amendments
from unspoken.agents.identity import GameIdentity
from unspoken.agents.item_network import NETWORKS
from unspoken.agents.policy import MlpNetwork, PolicyNetwork
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.items import Items
from unspoken.envs.engine.whole_file import write_whole

FORMAT = 1
"""Goes up when the files change in a way that old readers cannot know."""
FOLDER = "checkpoints"
"""The folder of a run that holds its checkpoints: ``step-000000016384`` and so on, and ``BEST``."""
BEST = "best"
POLICY = "policy.safetensors"


class CheckpointError(ValueError):
    """A checkpoint is missing, damaged, or of another game than the one asked for."""


@dataclass(frozen=True)
class PolicyDescription(GameIdentity):
    """What a policy plays (see ``GameIdentity``), and where it comes from.

    Attributes:
        hidden: widths of the hidden layers.
        training: how the policy came about; for the reader, not used.
        network: its kind. items: what the game's features and actions are about (see ``Items``).
        memory: width of its memory, 0 for none.
    """

    hidden: list[int]
    training: dict[str, Any] = field(default_factory=dict)
    network: str = MlpNetwork.kind
    items: dict[str, Any] | None = None
    memory: int = 0

    @classmethod
    def of(cls, policy: PolicyNetwork, game: Game, training: dict[str, Any]) -> "PolicyDescription":
        """The description of ``policy``, which plays ``game``."""
        return cls(
            **vars(GameIdentity.of_game(game)),
            hidden=list(policy.hidden),
            training=training,
            network=policy.kind,
            items=asdict(game.items),
            memory=policy.memory,
        )


def save_policy(
    path: Path,
    policy: PolicyNetwork,
    description: PolicyDescription,
    amendments: Amendments | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Write ``path`` (``.safetensors``), weights in ``dtype``, and its ``.json``; each appears whole or not
    at all."""
    weights = {name: tensor.to(dtype) for name, tensor in policy.state_dict().items()}
    amended = {} if amendments is None else amendments.tensors()
    save_with_description(path, weights | amended, asdict(description))


def load_policy(path: Path) -> tuple[PolicyNetwork, PolicyDescription]:
    """The policy without its amendments (see ``load_amended_policy``)."""
    policy, description, _ = load_amended_policy(path)
    return policy, description


def load_amended_policy(path: Path) -> tuple[PolicyNetwork, PolicyDescription, Amendments | None]:
    """The policy in a ``.safetensors`` file or its ``.json``, in a checkpoint's folder or in a run's folder.

    Of a run, the checkpoint with the best evaluation, or the latest if there has been none.
    With its amendments, if it has any.

    Raises:
        CheckpointError: there is none, it is damaged, or it is of another version; the message says which.
    """
    file = find_policy(path)
    tensors, content = load_with_description(file)
    try:
        description = PolicyDescription(**content)
        layout = description.layout()
        network = NETWORKS[description.network]
        items = Items({}, [description.n_actions])
        if description.items is not None:
            items = Items(**description.items)
        game = description.present_game()
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        described = file.with_suffix(".json")
        raise CheckpointError(f"{described}: not the description of a policy: {error}") from None
    if game is not None:
        try:
            description.check(game)
        except ValueError as error:
            raise CheckpointError(f"{file}: {error}") from None
    try:
        policy = network(layout, items, description.hidden, description.memory)
        amendments = Amendments.from_tensors(tensors)
        policy.load_state_dict(tensors)
    except (RuntimeError, KeyError, ValueError, TypeError) as error:
        raise CheckpointError(f"{file}: its weights do not fit its description: {error}") from None
    return policy, description, amendments


def find_policy(path: Path) -> Path:
    """The ``.safetensors`` file meant by ``path`` (see ``load_policy``)."""
    if path.suffix in (".safetensors", ".json"):
        return path.with_suffix(".safetensors")
    if (path / POLICY).is_file():
        return path / POLICY
    for folder in (path / FOLDER / BEST, *reversed(step_folders(path))):
        if (folder / POLICY).is_file():
            return folder / POLICY
    raise CheckpointError(f"{path}: neither a checkpoint nor a run with one")


def step_folders(run: Path) -> list[Path]:
    """The folders of a run's checkpoints, oldest first; unfinished ones do not count."""
    return sorted(folder for folder in (run / FOLDER).glob("step-*") if folder.name[5:].isdigit())


def save_with_description(path: Path, tensors: dict[str, Tensor], content: dict[str, Any]) -> None:
    """Write tensors to ``path``, and plain data with their checksum beside it; each file by renaming."""
    data = save_tensors({name: tensor.cpu().contiguous() for name, tensor in tensors.items()})
    described = {"format": FORMAT, "sha256": hashlib.sha256(data).hexdigest(), **content}
    write_whole(path, data)
    write_whole(path.with_suffix(".json"), (json.dumps(described, indent=2) + "\n").encode())


def load_with_description(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What ``save_with_description`` wrote.

    Raises:
        CheckpointError: a file is missing or damaged, or was written by a later version.
    """
    described = path.with_suffix(".json")
    try:
        content = json.loads(described.read_text(encoding="utf-8"))
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{error.filename}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CheckpointError(f"{described}: damaged: {error}") from None
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise CheckpointError(f"{described}: not a checkpoint of format {FORMAT}")
    if hashlib.sha256(data).hexdigest() != content.pop("sha256", None):
        raise CheckpointError(f"{path}: damaged: its checksum is not the one in {described.name}")
    try:
        return load_tensors(data), content
    except SafetensorError as error:
        raise CheckpointError(f"{path}: damaged: {error}") from None

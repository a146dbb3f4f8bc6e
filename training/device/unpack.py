"""Join what came back: ``python -m training.device.unpack FOLDER FOLDER --target FOLDER``.

The target is a folder of float32 weights as transformers reads them: for ``training.nli.average``,
``training.window_figures`` and ``training.export``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from training.command import options
from training.device import parts, weights
from training.device.on_device import FIGURES


def unpack(folders: Sequence[Path], target: Path) -> None:
    """Check and join the parts of all ways back, and write them as floats. Raises
    FileNotFoundError if no folder has the list or a part is missing, and ValueError if a part has
    other bytes than were written there."""
    lists = [folder / parts.LIST for folder in folders if (folder / parts.LIST).exists()]
    if not lists:
        raise FileNotFoundError(f"no {parts.LIST} in {[*map(str, folders)]}")
    with TemporaryDirectory() as scratch:
        (joined,) = parts.join(folders, lists[0], Path(scratch))
        weights.read(joined).save_pretrained(target)
    print((lists[0].parent / FIGURES).read_text(encoding="utf-8"))


def main() -> None:
    """Unpack."""
    parser = options(__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="what each way back brought")
    parser.add_argument("--target", type=Path, required=True)
    arguments = parser.parse_args()
    unpack(arguments.folders, arguments.target)


if __name__ == "__main__":
    main()

"""`sparsecone select` on annotated cells: layers, batches, counts, and the file with its marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..files.whole_file import whole_file
from ..optional import require
from .console import say, say_json, show_table, working
from .fitting import value_of, warnings_as_remarks
from .outputs import RANKINGS, check_outputs, columns_bytes, write_together

if TYPE_CHECKING:
    from .select import SelectOptions
    from .selecting import Selecting

ANNOTATED = ".h5ad"
# Genes that are shown.
SHOWN = 20
DEFAULT_NUMBER = "2000"


def are_cells(asked: SelectOptions) -> bool:
    """Return whether the file is to be taken as annotated cells."""
    marks = asked.out is not None and asked.out.suffix.lower() == ANNOTATED
    return marks or any(x is not None for x in (asked.layer, asked.batch, asked.counts))


@dataclass(frozen=True)
class Genes:
    """A selection of genes from an annotated file; the command's options tell what is wanted."""

    asked: Selecting

    def run(self) -> None:
        """Read, select, write, show."""
        file, out = self.asked.source.file, self.asked.out
        self._check()
        anndata = require("anndata", purpose="Selecting genes", extra="anndata")
        from ..anndata import select_genes

        with working(f"Reading {file.name}"):
            adata = anndata.read_h5ad(file)
        given = {name: value for name, value in self.asked.parameters.items() if value is not None}
        with working("Selecting genes"), warnings_as_remarks():
            select_genes(
                adata,
                n_top_genes=self._numbers(adata.n_vars),
                layer=self.asked.layer,
                batch_key=self.asked.batch,
                counts=str(self.asked.counts or "log"),
                method=self.asked.method,
                **given,
            )
        if out is not None and out.suffix.lower() == ANNOTATED:
            with whole_file(out) as draft:
                adata.write_h5ad(draft)
        elif out is not None:
            write_together({out: lambda suffix: columns_bytes(_ranking(adata), suffix)})
        self._show(adata)

    def _check(self) -> None:
        """Complain about what cannot be had of annotated cells."""
        file, asked = self.asked.source.file, self.asked
        if file.suffix.lower() != ANNOTATED:
            raise ValueError(
                f"--layer, --batch, --counts and an output {ANNOTATED} need annotated cells, and "
                f"'{file}' does not end in {ANNOTATED}."
            )
        wishes: Mapping[str, Any] = {
            "--save-selected": asked.save_selected,
            "--save-model": asked.save_model,
            "--report": asked.report,
            "--image": asked.image,
            "--stability": asked.stability,
            "--path": asked.path,
            "--explain": asked.explain or None,
            "--label": asked.source.label,
        }
        for option, value in wishes.items():
            if value is not None:
                raise ValueError(
                    f"{option} does not go with --layer, --batch, --counts or an output "
                    f"{ANNOTATED}: leave it out, or write the layer to a file of its own."
                )
        check_outputs({"--out": (asked.out, (*RANKINGS, ANNOTATED))}, inputs=[file])

    def _numbers(self, n_genes: int) -> Any:
        texts: Sequence[str] = self.asked.n_features or (str(min(int(DEFAULT_NUMBER), n_genes)),)
        numbers = [value_of(part) for text in texts for part in text.split(",")]
        return numbers[0] if len(numbers) == 1 else numbers

    def _show(self, adata: Any) -> None:
        """Tell what was found and written, to people or to machines."""
        account, table = adata.uns["sparsecone"], adata.var.sort_values("sparsecone_rank")
        files = [] if self.asked.out is None else [str(self.asked.out)]
        if self.asked.as_json:
            chosen = table.index[table["highly_variable"]].tolist()
            batches = list(map(str, account.get("batches", ())))
            about = {"method": account["method"], "file": str(self.asked.source.file)}
            say_json(about | {"selected": chosen, "batches": batches, "files": files})
            return
        by_batch = "highly_variable_nbatches" in table
        rows = [
            (
                str(int(row["sparsecone_rank"])),
                str(name),
                f"{row['sparsecone_score']:.4g}",
                *([str(int(row["highly_variable_nbatches"]))] if by_batch else []),
            )
            for name, row in table.head(min(SHOWN, int(table["highly_variable"].sum()))).iterrows()
        ]
        columns = ("rank", "gene", "score", *(["batches"] if by_batch else []))
        say(
            f"{self.asked.source.file.stem}: {adata.n_obs} cells, {adata.n_vars} genes, "
            f"{int(table['highly_variable'].sum())} selected."
        )
        show_table("The first of the selected genes", columns, rows, numbers=columns[::2])
        for line in _verdicts(account):
            say(line)
        if files:
            say(f"Written: {', '.join(files)}")


def _verdicts(account: Mapping[str, Any]) -> list[str]:
    """Return what is proven, of each batch or of all cells."""
    if "gap" not in account:
        return []
    if "batches" not in account:
        return [f"{account['status']}, gap {account['gap']:.1e}. {account['reason']}"]
    found = zip(account["batches"], account["status"], account["gap"], strict=True)
    return [f"Batch {name}: {status}, gap {gap:.1e}." for name, status, gap in found]


def _ranking(adata: Any) -> dict[str, Any]:
    """Return the columns of the ranking, best first, as for any file."""
    table = adata.var.sort_values("sparsecone_rank")
    more = [name for name in table if str(name).startswith("highly_variable_n")]
    return {
        "rank": table["sparsecone_rank"].tolist(),
        "feature": table.index.tolist(),
        "score": table["sparsecone_score"].tolist(),
        "selected": table["highly_variable"].tolist(),
        **{name.removeprefix("highly_variable_n"): table[name].tolist() for name in more},
    }

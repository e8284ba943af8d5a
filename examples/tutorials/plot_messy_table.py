"""
A messy table: which columns matter
===================================

A spreadsheet from a European office: semicolons, decimal commas, a column of customer numbers,
one of towns, euros beside centimetres. Which few columns say most of what all of them say?
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import StandardScaler

from sparsecone import SPCAPSD
from sparsecone.datasets import load_file
from sparsecone.display import ScoresDisplay

# %%
# The table is made up: 400 customers, of whom there are three independent things to know, their
# size, their wealth and how often they come.

rng = np.random.default_rng(0)
size, wealth, habit = rng.normal(size=(3, 400))
columns = {
    "Größe (cm)": 172 + 9 * size + rng.normal(0, 1, 400),
    "Gewicht (kg)": 72 + 11 * size + rng.normal(0, 4, 400),
    "Schuhgröße": np.round(41 + 2 * size + rng.normal(0, 0.5, 400)),
    "Einkommen (€)": 42000 + 12000 * wealth + rng.normal(0, 2000, 400),
    "Miete (€)": 900 + 250 * wealth + rng.normal(0, 60, 400),
    "Einkauf (€)": 60 + 15 * wealth + rng.normal(0, 5, 400),
    "Besuche": np.round(20 + 6 * habit + rng.normal(0, 1, 400)),
    "Bons": np.round(22 + 6 * habit + rng.normal(0, 2, 400)),
    "Losnummer": np.round(rng.uniform(1, 6, 400)),
}
towns = rng.choice(["Köln", "Bonn", "Trier"], 400)
lines = [";".join(["Kunden-Nr", *columns, "Ort"])]
for row, town in enumerate(towns):
    numbers = [f"{values[row]:.1f}".replace(".", ",") for values in columns.values()]
    lines.append(";".join([str(5000 + row), *numbers, town]))

# %%
# `load_file` reads it as it is, and says what it decided. `sparsecone select kunden.csv
# --drop-text` on the command line does the same.

with TemporaryDirectory() as folder:
    path = Path(folder) / "kunden.csv"
    path.write_bytes("\r\n".join(lines).encode("cp1252"))
    table = load_file(path, drop_text=True)
print(*table.notes, sep="\n")
print(table.X.shape, table.sample_names[:2])

# %%
# Euros range over a thousand times what shoe sizes do, so every column is scaled to the same
# variance. `n_features_to_select="auto"` takes as many as are enough.

X = StandardScaler().fit_transform(table.X)
selector = SPCAPSD(n_features_to_select="auto").fit(X)
names = np.array(table.feature_names)
print(names[selector.selected_])
print(selector.curve_.verdict(selector.selected_.size))

# %%
# The scores, and what stands for each column that was left out.

ScoresDisplay.from_estimator(selector, names=table.feature_names)
plt.show()
for name, reason in zip(names, selector.explanation(X)["reason"], strict=True):
    print(f"{name:15s} {reason}")

"""Table 3 of the paper: the vocabulary that its numbers of parameters imply."""

from dataclasses import replace

import pytest
import torch

from snippets.model.sizes import BASE, BIG, count, parameters
from snippets.model.table_3 import TABLE_3, vocabulary_range, without_embeddings
from snippets.model.transformer import Transformer


@pytest.mark.parametrize(("row", "changes", "millions"), TABLE_3)
def test_a_range_holds_just_what_rounds_to_the_number_in_the_paper(row, changes, millions):
    low, high = vocabulary_range(changes, millions)
    d, layers = without_embeddings(**changes)
    agrees = [round((layers + v * d) / 1e6) == millions for v in (low - 1, low, high, high + 1)]
    assert agrees == [False, True, True, False]


def test_millions_are_exact_where_there_are_a_million_of_them():
    d, layers = without_embeddings()
    low, high = vocabulary_range({}, 10**6)
    least, greatest = 10**12 - 500_000, 10**12 + 500_000
    assert layers + (low - 1) * d < least <= layers + low * d
    assert layers + high * d <= greatest < layers + (high + 1) * d


def test_all_layers_are_what_the_modules_have_without_their_embeddings():
    for row, changes, _ in (TABLE_3[0], TABLE_3[6]):
        config = replace(BASE, **changes)
        with torch.device("meta"):
            model = Transformer(config)
        assert without_embeddings(**changes) == (config.d_model, count(model) - count(model.embedding)), row
    big = without_embeddings(**TABLE_3[-1][1])[1]
    assert big == parameters(BIG)["encoder"] + parameters(BIG)["decoder"]


def test_smaller_keys_take_columns_and_biases_from_two_of_four_matrices_of_each_attention():
    d, layers = without_embeddings(d_k=64)  # that of base
    assert (d, layers) == without_embeddings()
    columns = 512 - 8 * 16
    assert without_embeddings(d_k=16) == (512, layers - 18 * 2 * columns * 513)


def test_ten_rows_share_a_vocabulary_that_is_not_37_000():
    *others, big = (vocabulary_range(changes, millions) for _, changes, millions in TABLE_3)
    low, high = max(least for least, _ in others), min(greatest for _, greatest in others)
    assert (low, high) == (40_932, 41_160)
    assert all(not least <= 37_000 <= greatest for least, greatest in [*others, big])
    assert big[1] < low


def test_each_row_changes_what_its_name_says():
    for row, changes, _ in TABLE_3[1:-1]:
        name, _, number = row.partition(" = ")
        assert changes == {{"N": "num_layers"}.get(name, name): int(number)}
    name, changes, millions = TABLE_3[-1]
    assert (name, millions) == ("big", 213) and replace(BASE, **changes, dropout=BIG.dropout) == BIG


def test_the_bounds_are_the_last_whole_numbers_that_are_rounded_so():
    for _, changes, millions in TABLE_3:
        d, layers = without_embeddings(**changes)
        low, high = vocabulary_range(changes, millions)
        least, most = (2 * millions - 1) * 500_000 - layers, (2 * millions + 1) * 500_000 - layers
        assert (low - 1) * d < least <= low * d and high * d <= most < (high + 1) * d

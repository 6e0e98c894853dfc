"""What lab 4 says is what was kept. Not among the tests of its module, since of mutants there are no results."""

from snippets.labs import inside_an_encoder as lab


def test_what_the_page_says_is_what_was_kept():
    whole, alone, more, table = lab.measure(), lab.one_by_one(), lab.more_and_more(), lab.results()
    assert (whole["triplets"], whole["recall@1"]) == (7, 24) and 2 * (5 + 1) / 2**5 == 0.375
    assert min(run["cosine"] for run in alone) > 0.95 and alone[2]["cosine"] > 0.997  # layer 0, head 2
    assert {run["triplets"] for run in alone} == {6, 7, 8, 9} and {run["recall@1"] for run in alone} == {24}
    half = {name: [round(one[2]["cosine"], 2) for one in some] for name, some in more.items()}
    assert lab.NUMBERS[2] == 36 and half["least"] == [0.93] and (min(half["any"]), max(half["any"])) == (0.76, 0.79)
    for one in [one for some in more.values() for one in some]:
        assert one[-1]["triplets"] == 1 and one[-1]["recall@1"] == 24 and min(run["recall@1"] for run in one) >= 23
    assert [max(one[i]["triplets"] for one in more["any"]) for i in range(2)] == [9, 9]
    for i in range(6):
        assert table[f"all of layer {i}"]["cosine"] < table[f"attention of layer {i}"]["cosine"]
    first, order, words, rest = (
        table[name] for name in ("[CLS] for the mean", "shuffled", "content_words", "function_words")
    )
    assert (round(first["cosine"], 2), round(first["unrelated"], 2), first["recall@1"]) == (0.54, 0.57, 24)
    assert (round(order["cosine"], 2), order["triplets"], order["recall@1"]) == (0.87, 3, 24)
    assert (round(words["cosine"], 2), words["triplets"]) == (0.95, 4)
    assert (round(rest["cosine"], 2), rest["recall@1"]) == (0.12, 5)
    assert sum("not" in sentence.split() for sentence in lab.ALL) == 2 and "not" in lab.FUNCTION_WORDS


def test_the_last_layer_moves_embeddings_as_far_with_means_as_with_zeros():
    zero = [1 - run["cosine"] for run in lab.one_by_one()[60:]]
    mean = [1 - same for same in lab.mean_ablation(5)["cosine"]]
    assert 0.9 < sum(mean) / sum(zero) < 1 and all(a < b for a, b in zip(mean, zero, strict=True))

"""The published encoder fitted to opinions in several ways, and what each costs."""

# --8<-- [start:imports]
import copy
import time
from statistics import mean

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from snippets.families.bert import Bert
from snippets.families.fine_tuning import (
    PromptedBert,
    SentenceClassifier,
    add_lora,
    trainable_parameters,
)
from snippets.families.forgetting import forgetting
from snippets.families.opinions import opinions
from snippets.families.real_encoder import MINI_LM, encode, real_encoder
from snippets.families.sentence_embeddings import mean_pool
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.tools.saved import saved_activations
# --8<-- [end:imports]


# --8<-- [start:methods]
SEEDS = (0, 1, 2)
STEPS, BATCH, EXAMPLES, TESTED = 100, 16, 128, 400
LORA = (5e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2)
PROMPT = (3e-2, 1e-1, 3e-1, 1.0)
METHODS = {  # how the encoder is made, and the largest learning rates to try
    "from scratch": (lambda bert: Bert(MINI_LM), (1e-4,)),
    # of the probe: weight decays
    "linear probe": (lambda bert: bert.requires_grad_(False), (1e-4, 1e-3, 1e-2)),
    "prompt, 1 vector": (lambda bert: PromptedBert(bert, 1), PROMPT),
    "prompt, 8 vectors": (lambda bert: PromptedBert(bert, 8), PROMPT),
    "LoRA, rank 1": (lambda bert: add_lora(bert, 1, 2.0), LORA),
    "LoRA, rank 4": (lambda bert: add_lora(bert, 4, 8.0), (*LORA, 3e-2)),
    "full fine-tuning": (lambda bert: bert, (1e-5, 2e-5, 3e-5, 5e-5, 1e-4, 3e-4)),
}


def classifier(method: str, seed: int) -> SentenceClassifier:
    """A copy of the published encoder, or a new one, with a new head."""
    published = real_encoder()[0]  # loaded before seeding: the first call draws
    torch.manual_seed(seed)
    encoder = METHODS[method][0](copy.deepcopy(published))
    return SentenceClassifier(encoder, MINI_LM.d_model, 2).eval()  # no dropout
# --8<-- [end:methods]


# --8<-- [start:batches]
def draw(count: int, words: str, seed: int) -> tuple[list[str], Tensor]:
    """So many different sentences, or all there are, and their labels."""
    everything = opinions(words)
    order = torch.randperm(len(everything), generator=Generator().manual_seed(seed))
    drawn = [everything[i] for i in order[:count]]
    return [s for s, _ in drawn], torch.tensor([label for _, label in drawn])


@torch.no_grad()
def accuracy(model: nn.Module, sentences: list[str], labels: Tensor) -> float:
    right = model(encode(real_encoder()[1], sentences)).argmax(dim=-1) == labels
    return right.double().mean().item()
# --8<-- [end:batches]


# --8<-- [start:tune]
def tune(model: nn.Module, rate: float, seed: int) -> list[float]:
    """100 steps of AdamW on 128 sentences; the rate falls to 0 after a warm-up."""
    sentences, labels = draw(EXAMPLES, "training", seed)
    ids, losses = encode(real_encoder()[1], sentences), []
    generator = Generator().manual_seed(seed)
    moved = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(moved, lr=rate, weight_decay=0.01, fused=True)
    for step in range(STEPS):
        share = min((step + 1) / 10, 1 - step / STEPS)
        optimizer.param_groups[0]["lr"] = rate * share
        some = torch.randint(EXAMPLES, (BATCH,), generator=generator)
        loss = F.cross_entropy(model(ids[some]), labels[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def fit_head(model: SentenceClassifier, decay: float, seed: int) -> list[float]:
    """The head alone, by L-BFGS to the end: the vectors are computed only once."""
    sentences, labels = draw(EXAMPLES, "training", seed)
    ids, losses = encode(real_encoder()[1], sentences), []
    with torch.no_grad():
        vectors = mean_pool(model.encoder(ids), ids != model.encoder.pad_id)
    head, line_search = model.head, "strong_wolfe"
    optimizer = torch.optim.LBFGS(
        head.parameters(), max_iter=1000, line_search_fn=line_search
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        penalty = decay * head.weight.square().sum()
        value = F.cross_entropy(head(vectors), labels) + penalty
        value.backward()
        losses.append(value.item())
        return value

    optimizer.step(loss)
    return losses
# --8<-- [end:tune]


# --8<-- [start:megabytes]
def megabytes(model: nn.Module) -> dict[str, float]:
    """What training needs for each batch, four bytes a number."""
    ids = encode(real_encoder()[1], draw(BATCH, "training", seed=0)[0])
    moved = trainable_parameters(model)
    counts = {
        "weights": sum(p.numel() for p in model.parameters()),
        "gradients": moved,
        "optimizer": 2 * moved,  # Adam's two moments
        "activations": saved_activations(model, ids),
    }
    return {name: 4 * count / 1e6 for name, count in counts.items()}
# --8<-- [end:megabytes]


# --8<-- [start:results]
def run(method: str, setting: float, seed: int) -> dict:
    """Fit one encoder, and measure all that the page tells of it."""
    model = classifier(method, seed)
    fit = fit_head if method == "linear probe" else tune
    start = time.process_time()
    losses = fit(model, setting, seed)
    return {
        "seconds": time.process_time() - start,
        "losses": [round(loss, 5) for loss in losses],
        "trainable": trainable_parameters(model),
        "megabytes": megabytes(model),
        "training": accuracy(model, *draw(EXAMPLES, "training", seed)),
        "validation": accuracy(model, *draw(TESTED, "validation", seed=0)),
        "test": accuracy(model, *draw(TESTED, "test", seed=0)),
        **forgetting(*real_encoder(), model.encoder),
    }


def bag_of_words(seed: int) -> dict:
    """Which words occur, and logistic regression: scikit-learn's."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    start = time.process_time()
    model = make_pipeline(CountVectorizer(), LogisticRegression())
    sentences, labels = draw(EXAMPLES, "training", seed)
    model.fit(sentences, labels)
    seconds = time.process_time() - start
    test, right = draw(TESTED, "test", seed=0)
    return {
        "seconds": seconds,
        "trainable": model[-1].coef_.size + 1,
        "training": model.score(sentences, labels.numpy()),
        "test": model.score(test, right.numpy()),
    }


def all_runs() -> dict[str, dict[str, list[dict]]]:
    """By method and setting, a run for each seed, from a file if there is one."""

    def compute() -> tuple[dict, dict]:
        settings = [(m, x) for m, (_, grid) in METHODS.items() for x in grid]
        jobs = [(*setting, seed) for setting in settings for seed in SEEDS]
        runs, found = iter(in_parallel(run, jobs)), {}
        for method, x in settings:
            found.setdefault(method, {})[f"{x:g}"] = [next(runs) for _ in SEEDS]
        words = [bag_of_words(seed) for seed in SEEDS]
        return {}, {"bag of words": {"default": words}} | found

    return kept("fine_tuning", "families/tuned_encoders", compute)[1]


def validation(runs: list[dict]) -> float:
    """Mean accuracy on words that neither training nor the test has."""
    return mean(run.get("validation", 0.0) for run in runs)


def best(settings: dict[str, list[dict]]) -> str:
    """The setting that is best in validation; of equals, the smallest."""
    return max(settings, key=lambda setting: validation(settings[setting]))


def chosen() -> dict[str, str]:
    """By method, the setting that is best."""
    return {method: best(settings) for method, settings in all_runs().items()}


def results() -> dict[str, list[dict]]:
    """By method, the runs with the setting that is best."""
    return {m: settings[best(settings)] for m, settings in all_runs().items()}
# --8<-- [end:results]

"""What a fine-tuned encoder has forgotten of meanings that it was not asked about."""

# --8<-- [start:imports]
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from snippets.families.real_encoder import encode
from snippets.families.sentence_embeddings import embed
# --8<-- [end:imports]


# --8<-- [start:pairs]
PAIRS = [  # nothing to do with opinions
    ("how do i reset my password", "i cannot remember the code for my account"),
    (
        "the train to the coast leaves at nine",
        "when does the railway to the sea depart",
    ),
    ("she planted roses behind the house", "there are flowers growing in her yard"),
    (
        "the doctor told him to rest",
        "a physician advised the patient to stay in bed",
    ),
    ("prices rose by three percent", "inflation made everything more expensive"),
    ("the cat sleeps on the sofa", "a pet is dozing on the couch"),
    ("he repaired the broken bicycle", "the man fixed a bike"),
    ("they won the match in the last minute", "a late goal decided the football"),
    ("water freezes at zero degrees", "ice forms when it gets cold enough"),
    ("the court sent the thief to prison", "a judge jailed the burglar"),
    ("we ran out of flour and eggs", "there is nothing left for baking"),
    ("the phone needs charging", "my battery is nearly empty"),
    ("the volcano erupted at dawn", "lava flowed down to the village"),
    ("he studies the stars at night", "an astronomer looks through his telescope"),
    ("the bank lends money to farmers", "growers of wheat can get credit"),
    ("the child lost its first tooth", "there is a gap in the smile of the boy"),
    ("our flight was cancelled", "the plane will not take off today"),
    ("the parliament passed a new law", "legislators voted for the bill"),
    ("snow covered the mountains", "the peaks turned white in winter"),
    ("she knitted a scarf from wool", "my aunt makes clothes out of yarn"),
    ("the factory produces tyres", "this plant manufactures wheels for cars"),
    ("he teaches mathematics at a school", "the teacher explains algebra in class"),
    ("the ship sank in a storm", "a vessel went down in heavy seas"),
    ("they put the letter into french", "the text was translated for us"),
]
# --8<-- [end:pairs]


# --8<-- [start:margins]
def margins(vectors: Tensor) -> Tensor:
    """By how much a sentence is closer to its partner than to any other.

    vectors: (2 n, d) of length 1; i and n + i are partners. Returns (2 n,).
    """
    row = torch.arange(len(vectors), device=vectors.device)
    partner = row.roll(len(vectors) // 2)
    cosine = (vectors @ vectors.T).fill_diagonal_(-1)
    to_partner = cosine[row, partner]
    cosine[row, partner] = -1
    return to_partner - cosine.amax(dim=1)
# --8<-- [end:margins]


# --8<-- [start:forgetting]
def forgetting(
    published: nn.Module, tokenizer: Tokenizer, tuned: nn.Module
) -> dict[str, float]:
    """Of the sentences in PAIRS: their cosine with what the published encoder
    gives, their margin, and the share with a partner nearer than all others.
    """
    sentences = [first for first, _ in PAIRS] + [second for _, second in PAIRS]
    ids = encode(tokenizer, sentences)
    old, new = embed(published, ids), embed(tuned, ids)
    margin = margins(new)
    return {
        "cosine": (old * new).sum(dim=-1).mean().item(),
        "margin": margin.mean().item(),
        "top-1": (margin > 0).double().mean().item(),
    }
# --8<-- [end:forgetting]

"""A target that is not shifted teaches to copy."""

import torch

from snippets.before import dates
from snippets.training.loss import next_token_loss
from snippets.training.translator import DATE_VOCAB, date_trainer
from snippets.training.unshifted import results, unshifted_loss


def test_the_label_is_the_input_of_its_own_position():
    model = date_trainer(0).model
    src, tgt = dates.batch(dates.HELD_OUT[:2], DATE_VOCAB)
    with torch.no_grad():
        log_p = model(src, tgt).log_softmax(dim=-1)
        real = tgt != model.pad_id
        expected = -log_p.gather(2, tgt[..., None]).squeeze(2)[real].mean()
        assert torch.allclose(unshifted_loss(model, (src, tgt)), expected)
        assert not torch.allclose(next_token_loss(model, src, tgt), expected, atol=1)


def test_after_the_start_the_start_again():
    for run in results():
        assert run["losses"][-1] < 0.01 and run["said"] == "<s> <s> <s> <s>"

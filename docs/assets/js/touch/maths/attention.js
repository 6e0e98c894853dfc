// What snippets/attention computes, for the figures that can be touched. A matrix is a list of rows.

/** Of numbers, which may be -Infinity; of nothing but -Infinity, NaN, as in PyTorch. */
export const softmax = (scores) => {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
};

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The weighted average of the values, and the weights: snippets/attention/soft_lookup.py. */
export const softLookup = (similarities, values) => {
  const weights = softmax(similarities);
  return { answer: dot(weights, values), weights };
};

// The online softmax of one query: absorb in snippets/families/flash_attention.py, a block of keys after the other.

/**
 * What is kept after each block, and how it came about: `end`, how many keys have been read; `shrink`, what the sums were
 * multiplied by; `before`, the sum after that; `maximum`, `sum`, `weighted`, and `output`, weighted / sum.
 */
export const onlineSoftmax = (scores, values, block) => {
  let [maximum, sum, weighted] = [-Infinity, 0, 0];
  const states = [];
  for (let start = 0; start < scores.length; start += block) {
    const own = scores.slice(start, start + block),
      largest = Math.max(maximum, ...own);
    const shrink = Math.exp(maximum - largest),
      before = shrink * sum;
    const weights = own.map((score) => Math.exp(score - largest));
    sum = before + weights.reduce((total, weight) => total + weight, 0);
    weighted = shrink * weighted + weights.reduce((total, weight, i) => total + weight * values[start + i], 0);
    maximum = largest;
    states.push({ end: start + own.length, shrink, before, maximum, sum, weighted, output: weighted / sum });
  }
  return states;
};

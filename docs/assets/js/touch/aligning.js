/** Of the heads of a layer, for one query. */
export const mean = (heads) => heads[0].map((_, key) => heads.reduce((sum, head) => sum + head[key] / heads.length, 0));

/** What stands at a place of a sequence; if that stands somewhere else, too, with its place, counted from 1. */
export const placed = (tokens, place, say) =>
  tokens.indexOf(tokens[place]) === tokens.lastIndexOf(tokens[place]) ? tokens[place] : say(tokens[place], place + 1);

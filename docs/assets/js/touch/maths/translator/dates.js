// From what a reader types to the tokens that the translator knows: snippets/before/dates.py.

const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(" ");
/** Whole words, and their first three letters. */
const WORDS = new Map(
  [...DAYS, ...MONTHS].flatMap((word) => [word, word.slice(0, 3)].map((key) => [key.toLowerCase(), word])),
);
const ORDINAL = /(?<=\d)(?:st|nd|rd|th)\b/gi;
const KOREAN_DAYS = [..."일월화수목금토"];
/** No date has more; the model would take them, and the reader would have to wait. */
const LONGEST = 24;

/** A date that cannot be read: `reason` is the name of a message, `what` the part of the text that it is about. */
export class UnreadableDate extends Error {
  constructor(reason, what) {
    super(`${reason}: ${what}`);
    this.reason = reason;
    this.what = what;
  }
}

/** 2024-03-05, 2024/3/5, 2024. 3. 5., 2024년 3월 5일, and with 화요일 or (화) after it. */
const NUMBERS =
  /^(\d{4})(?:\s*년\s*|\s*([-/.])\s*)(\d{1,2})(?:\s*월\s*|\s*\2\s*)(\d{1,2})(?:\s*일|\.)?(?:[\s,]*\(?([일월화수목금토])(?:요일)?\)?)?$/;

/** A date in numbers as the tokens that an English sentence has; the day of the week is the right one, or as given. */
function inWords(text, [, year, , month, day, given = ""]) {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day))
    throw new UnreadableDate("noSuchDay", text);
  const weekday = DAYS[given ? KOREAN_DAYS.indexOf(given) : date.getUTCDay()];
  return [weekday, ",", MONTHS[month - 1], ...String(Number(day)), ",", ...year];
}

const normal = (text) => text.normalize("NFKC").trim();
/** Of a sentence, perhaps, which a date in words may end. */
const FULL_STOP = /(?<=\d{4}) ?[.。]$/;

/** The tokens of a date in numbers; of any other text, nothing. Throws UnreadableDate. */
function fromNumbers(text) {
  const numbers = text.match(NUMBERS);
  return numbers && inWords(text, numbers);
}

/** Whether a date is in numbers, so that the day of the week and the English words come from here. */
export const isInNumbers = (text) => NUMBERS.test(normal(text));

/** Whether tokens have the form of all dates that the translator was trained on: Tuesday, March 5, 2024. */
export const isUsual = (tokens) => /^[A-Z][a-z]+day , [A-Z][a-z]+( \d){1,2} ,( \d){4}$/.test(tokens.join(" "));

/** The tokens of a text, numbers digit by digit. Throws UnreadableDate. */
export function read(text) {
  const trimmed = normal(text);
  if (!trimmed) throw new UnreadableDate("empty", "");
  const known = fromNumbers(trimmed);
  if (known) return known;
  const tokens = [];
  for (const [piece] of trimmed
    .replace(ORDINAL, "")
    .replace(FULL_STOP, "")
    .matchAll(/[0-9,]|[^\s0-9,]+/g)) {
    const token = /^[0-9,]$/.test(piece) ? piece : WORDS.get(piece.toLowerCase().replace(/\.$/, ""));
    if (!token) throw new UnreadableDate("unknown", piece);
    tokens.push(token);
  }
  if (tokens.length > LONGEST) throw new UnreadableDate("tooLong", String(tokens.length));
  return tokens;
}

const NAME = `(${[...WORDS.keys()].join("|")})\\.?`;
/** July 3, 1995; 3 July 1995; both with any day of the week before them; 7/3/1995, 3.7.1995. */
const MONTH_FIRST = new RegExp(`^(?:${NAME},? )?${NAME} (\\d{1,2}),? ?(\\d{4})$`, "i");
const DAY_FIRST = new RegExp(`^(?:${NAME},? )?(\\d{1,2}) (?:of )?${NAME},? ?(\\d{4})$`, "i");
const SLASHES = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/;

/** The words of a date: its day of the week, if it has one, its month, its day and its year. */
function inEnglish(plain) {
  let parts = plain.match(MONTH_FIRST);
  if (parts) return parts.slice(1);
  parts = plain.match(DAY_FIRST);
  return parts && [parts[1], parts[3], parts[2], parts[4]];
}

const cleaned = (text) => normal(text).replace(ORDINAL, "").replace(FULL_STOP, "").replace(/\s+/g, " ");
const monthOf = (name) => MONTHS.indexOf(WORDS.get(name.toLowerCase())) + 1;

/** A date in numbers, or in words without a day of the week, as tokens with the right one; else nothing. Throws UnreadableDate. */
export function completed(text) {
  const known = fromNumbers(normal(text)),
    plain = cleaned(text);
  if (known) return known;
  const [weekday, name, day, year] = inEnglish(plain) ?? [];
  return !weekday && name && monthOf(name) ? inWords(plain, [plain, year, "", monthOf(name), day]) : null;
}

/** The dates that a text may mean which is not in the form that the translator knows, as that form has them. */
export function meant(text) {
  const plain = cleaned(text),
    words = inEnglish(plain);
  let found = [],
    parts;
  if (words) found = [[monthOf(words[1]), words[2], words[3]]];
  else if ((parts = plain.match(SLASHES))) {
    const [, first, sign, second, year] = parts;
    found = [[second, first, year]];
    if (sign !== ".") found.unshift([first, second, year]); // with full stops, the day is always first
  }
  const dates = new Set();
  for (const [month, day, year] of found) {
    try {
      dates.add(shown(inWords(plain, [plain, year, "", month, day])));
    } catch (error) {
      if (!(error instanceof UnreadableDate)) throw error;
    }
  }
  dates.delete(plain);
  return [...dates];
}

/** Tokens as a text: digits without spaces, no space before a comma. */
export function shown(tokens) {
  return tokens.reduce((text, token, i) => {
    const digits = /\d$/.test(tokens[i - 1] ?? "") && /^\d/.test(token);
    return i === 0 || digits || token === "," || /^[년월일]$/.test(token) ? text + token : `${text} ${token}`;
  }, "");
}

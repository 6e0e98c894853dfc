/* What the pages do by themselves: one concern a file, published together as assets/js/book.js (see
   book/finish/script.py). The theme's own script, twenty times as long, waits for the reader's first move: a page that is
   only opened and read does without, and a phone shows it sooner. */

import "./theme.js";
import "./searching.js";
import "./colours.js";
import "./contents.js";
import "./missing.js";
import "./progress.js";
import "./questions.js";
import "./stopped.js";
import "./switches.js";
import "./code.js";
import "./figures.js";

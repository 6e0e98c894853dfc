// What a walk through a model looks like, beside what every figure that can be touched has.

/** Where there is room for little. */
const NARROW = `
.controls { grid-template-columns: minmax(0, 1fr); }
.controls > .above { grid-column: 1; grid-row: auto; }
.changes { grid-template-columns: minmax(0, 1fr) auto; position: static; }
.above > div:last-child { display: none; }
.changes .range { grid-column: 1 / -1; }
.inside { gap: 0.3rem; grid-template: "stage" 1fr "next" auto "tokens" auto / minmax(0, 1fr); min-height: 31rem; }
.tokens button { padding-top: 0.05rem; }
.tokens p { display: none; }
.map { gap: 0.1rem; grid-template: none / minmax(0, 1fr); }
.map p { grid-row: auto; }
.map div { display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); }
.map button { min-height: 40px; min-width: 0; padding: 0; text-align: center; }
.map .short { display: block; }
.map :is(.long, canvas) { display: none; }
.stage { display: flex; flex-direction: column; gap: 0.3rem; }
.panels p { font-size: 13px; line-height: 1.2; }
.sentence { font-size: 13px; line-height: 1.4; min-height: 5.6em; }
.sentence b { display: none; } /* it is above the map */
.cell { margin-bottom: auto; min-height: 0; }
:is(summary, summary b) { font-size: 13px; line-height: 1.3; }
.heads { flex-wrap: nowrap; }
.heads button { align-content: center; flex: 1; line-height: 1.1; min-height: 48px; padding-block: 0.15rem 0.2rem; }
.heads canvas { height: 24px !important; }
.moves { bottom: 0; display: flex; gap: 0.3rem; padding-block: 0.3rem; position: sticky; z-index: 1; }
.moves .actions { display: contents; }
.moves button { flex: none; padding-inline: 0.35rem; }
.moves .range { flex: auto; grid-template-columns: minmax(0, 1fr); min-width: 0; }`.replaceAll(
  "\n",
  "\n:host([narrow]) ",
);

export const STYLE = `
:host { margin-inline: 0; max-width: none; }
:host(:fullscreen) { background: var(--md-default-bg-color); overflow: auto; padding: 1rem; }
.controls { align-items: start; gap: 0.3rem 1.2rem; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); }
.controls > .field, .controls > .meant { grid-column: 1; }
.controls > .meant { min-height: 0; }
.controls > .above { grid-column: 2; grid-row: 1 / span 2; margin: 0; }
.inside { display: grid; gap: 0.6rem 24px; grid-template: "tokens tokens" auto "map stage" auto "next stage" 1fr / 234px minmax(0, 1fr); }
.inside > * { min-width: 0; }
.tokens { display: flex; flex-wrap: wrap; gap: 0.2rem; grid-area: tokens; margin: 0; padding: 0; }
.tokens p { flex: 1 0 100%; margin: 0; }
.tokens button { display: grid; line-height: 1.05; min-width: 2.1rem; padding: 0.15rem 0.35rem 0; text-align: center; }
small { color: var(--figure-faint); font-size: 11px; }
.tokens [aria-current] small { color: inherit; } /* on the colour of the current one, faint is too faint */
.tokens .later { border-style: dashed; }
.tokens .given { border-color: transparent; }
[aria-current], [aria-pressed=true] { background: var(--md-accent-fg-color--transparent); border-color: var(--figure-ink); box-shadow: inset 0 0 0 1px var(--figure-ink); }
.map { align-content: start; display: grid; gap: 0.15rem 0.5rem; grid-area: map; grid-template-columns: 1fr 1fr; grid-template-rows: auto 1fr; }
.map p { font-weight: 700; margin: 0; }
.map p { grid-row: 1; }
.map div { color: var(--figure-ink); align-self: end; display: flex; flex-direction: column-reverse; gap: 0.2rem; }
.map button { font-size: 11px; line-height: 1.25; padding: 0.1rem 0.2rem 0.15rem; text-align: left; width: 100%; }
.map canvas { display: block; height: 10px; image-rendering: pixelated; width: 100%; }
.map .short { display: none; }
.map.alone { grid-template: auto / 1fr; }
.stage { align-content: start; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.45rem; grid-area: stage; }
.sentence { margin: 0; min-height: 4.6em; }
.sentence b { display: block; font-size: 0.85rem; }
.sentence a { color: var(--md-typeset-a-color); white-space: nowrap; }
.tabs, .heads { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.tabs button { padding-inline: 0.45rem; }
.heads button { display: grid; gap: 1px; justify-items: start; line-height: 1.3; padding: 0.1rem 0.4rem 0.25rem; }
.heads .off { border-style: dashed; color: var(--figure-faint); text-decoration: line-through; }
.heads canvas { image-rendering: pixelated; }
.changed { align-items: center; border-left: 3px solid var(--figure-output); display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; padding-left: 0.5rem; }
.panels { align-items: start; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; }
.panels > div { width: min-content; }
@media (prefers-reduced-motion: no-preference) { .new > div { animation: 0.25s appear; } }
@keyframes appear { from { opacity: 0; } }
.panels p { margin: 0 0 0.1rem; }
.panels p b { margin-right: 0.4rem; }
.grid { display: grid; gap: 0 6px; grid-template-columns: auto max-content; justify-content: start; }
.grid ol { font-size: 12px; list-style: none; margin: 0; padding: 0; text-align: right; white-space: nowrap; }
.grid .across { align-items: end; display: flex; grid-column: 2; }
.grid .across li { font-size: 11px; line-height: 1; padding-bottom: 3px; text-align: center; }
.grid .across .turned { writing-mode: vertical-rl; }
.grid .across .turned span { transform: rotate(180deg); }
.grid li.lit { font-weight: 700; text-decoration: underline; }
.grid canvas { cursor: crosshair; display: block; grid-column: 2; touch-action: pan-y; }
.cell { border-left: 3px solid var(--figure-weight); min-height: 7.6rem; padding-left: 0.6rem; }
.cell p { margin: 0 0 0.15rem; }
.cell .terms { font-size: 12px; font-variant-numeric: tabular-nums; line-height: 1.5; max-height: 5.6rem; overflow: auto; }
.cell .terms span { white-space: nowrap; }
.next { align-content: start; align-items: center; display: grid; gap: 0.1rem 0.5rem; grid-area: next; grid-template-columns: auto minmax(2rem, 1fr) auto; }
.next p { font-weight: 700; grid-column: 1 / -1; margin: 0; }
.next i { background: var(--figure-weight); display: block; height: 0.7rem; min-width: 1px; opacity: 0.75; }
.next span { font-variant-numeric: tabular-nums; }
.dock { background: var(--md-default-bg-color); display: grid; gap: 0.3rem 1.2rem; margin-top: 0.3rem; }
.moves { align-items: center; grid-template-columns: minmax(0, 1fr) auto; }
.moves .wide { grid-column: auto; }
.moves output, :host([narrow]) .moves label { clip-path: inset(50%); position: absolute; }
#next { background: var(--md-typeset-a-color); color: var(--md-default-bg-color); }
.changes { align-items: center; bottom: 0; grid-template-columns: minmax(0, 1fr) auto auto auto; position: sticky; z-index: 1; }
.changes a { color: var(--md-typeset-a-color); }
.changes :is(.range, label):has(input:disabled) { visibility: hidden; }
dl:not(.above) { display: none; } /* it is all in the picture; only read out */
.scrolls { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
.scrolls > * { flex: none; }
summary { cursor: pointer; min-height: 1.6rem; padding-block: 0.15rem; }
summary b { font-size: 0.8rem; }${NARROW}
@media (pointer: coarse) { summary { align-content: center; min-height: 40px; } }`;

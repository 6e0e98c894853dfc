// Where there is room, what one moves stands beside the picture; the style sheet of a figure that is no wider than it has to be.

export const BESIDE = `
@media screen and (min-width: 60em) {
  :host { align-content: start; display: grid; gap: 0 1.2rem; grid-template: "picture above" auto "picture controls" 1fr
    "below controls" auto / minmax(0, 1fr) 12.5rem; max-width: 34rem; }
  .picture { align-self: start; grid-area: picture; }
  :host > .above { grid-area: above; margin: 0 0 0.6rem; }
  :host > .controls { align-content: start; grid-area: controls; grid-template-columns: minmax(0, 1fr); overflow-wrap: anywhere; }
  :host > dl:not(.above) { align-content: start; grid-area: below; }
  .stays ~ * :is(input, button, a) { scroll-margin-top: 3rem; }
}`;

/* What is taken and moved by a finger, a mouse or a pen. */

/** While `element` is held, move(event) is called for each move of the pointer. begin(event): when it is taken. */
export const whileHeld = (element, move, begin) => {
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    begin(event);
    const end = new AbortController(),
      { signal } = end; // the picture is drawn anew meanwhile: the page listens
    addEventListener("pointermove", move, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => end.abort(), { signal });
  });
};

/* Hands that are turned by a finger, a mouse or a pen. */

import { whileHeld } from "./dragging.js";
import { svg } from "./touchable.js";

/**
 * What is taken to turn the hands of a circle in the picture of a figure: a circle that cannot be seen. begin() is called
 * when it is taken; turn(angle) with the radians by which it has been turned since then, counterclockwise, however often round.
 */
export const grip = (figure, { x, y, radius }, { begin, turn }) => {
  const circle = svg("circle", {
    cx: x,
    cy: y,
    r: radius,
    "fill-opacity": 0,
    style: "cursor: grab; touch-action: none",
  });
  const angleOf = ({ clientX, clientY }) => {
    const box = figure.picture.firstChild.getBoundingClientRect(); // the picture is drawn anew while it is turned
    return Math.atan2(y - (clientY - box.top), clientX - box.left - x);
  };
  let last, turned;
  whileHeld(
    circle,
    (event) => {
      const angle = angleOf(event);
      turned += Math.atan2(Math.sin(angle - last), Math.cos(angle - last)); // the shorter way
      last = angle;
      turn(turned);
    },
    (event) => {
      [last, turned] = [angleOf(event), 0];
      begin();
    },
  );
  return circle;
};

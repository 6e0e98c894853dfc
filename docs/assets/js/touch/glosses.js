// What Korean tokens say in English, and how tokens and their weights are written. Sizes are pixels.

/** For English readers, the words of a Korean date. */
export const GLOSSES = {
  년: "year",
  월: "month",
  일: "day",
  월요일: "Monday",
  화요일: "Tuesday",
  수요일: "Wednesday",
  목요일: "Thursday",
  금요일: "Friday",
  토요일: "Saturday",
  일요일: "Sunday",
};

/** Probabilities and weights as the book prints them. */
export const share = (number) => number.toFixed(3);

/** How wide a text of 12 pixels is at most, about: it may be bold. */
export const wide = (text) => [...text].reduce((sum, letter) => sum + (/[ㄱ-힣]/.test(letter) ? 12.5 : 8), 0);

/* An old address: lead to where the page is now, or the section that was asked for (book/finish/moved.py). */
(() => {
  "use strict";
  const { page, sections } = document.currentScript.dataset;
  location.replace(JSON.parse(sections)[decodeURIComponent(location.hash.slice(1))] ?? page + location.hash);
})();

/* What the pages do by themselves. The theme's own script, twenty times as long, waits for the reader's first move:
   a page that is only opened and read does without, and a phone shows it sooner. */
(() => {
  "use strict";
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {<E extends Element = HTMLElement>(selector: string, within?: ParentNode) => E} */
  const find = (selector, within = document) => within.querySelector(selector);
  /** @type {<E extends Element = HTMLElement>(selector: string, within?: ParentNode) => E[]} */
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  /** What was clicked, or what that is in: @type {(event: Event, selector: string) => HTMLElement} */
  const clicked = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

  // ---- the theme's script

  const signs = ["focusin", "input", "keydown", "online", "pointerdown", "pointermove", "scroll", "touchstart", "wheel"];

  const load = link => new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: link.href, onload: resolve, onerror: reject });
    document.head.append(script);
  });

  const wait = () => signs.forEach(sign => addEventListener(sign, start, { capture: true, passive: true }));

  const start = async event => {
    signs.forEach(sign => removeEventListener(sign, start, true));
    // It would ask for a sitemap below each alternate link of the head. The language switch needs none here, so
    // these are hidden from it while it starts.
    /** @type {HTMLLinkElement[]} */
    const links = all("link[rel=alternate]");
    links.forEach(link => { link.rel = "alternate hidden" });
    try {
      for (const link of all("link.later:not(.here)")) {
        await load(link);
        link.classList.add("here");
      }
    } catch (error) { // without a connection: whatever the reader does a little later asks again
      links.forEach(link => { link.rel = "alternate" });
      setTimeout(wait, 1000);
      return;
    }
    // This is what it waits for, and it is over by now.
    document.dispatchEvent(new Event("DOMContentLoaded"));
    // If the first move was a key, the theme has missed it.
    if (event?.type === "keydown" && event.target === document.body && !event.defaultPrevented) {
      event.target.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
    }
    setTimeout(() => links.forEach(link => { link.rel = "alternate" }), 1000);
  };

  wait();

  // ---- the search: what fills its dialog is loaded when a reader opens it

  const dialog = /** @type {HTMLDialogElement} */ (find("dialog.search")), box = dialog.querySelector("input");
  const filling = new URL("search/dialog.js", here).href, marking = new URL("search/marks.js", here).href;
  let filled;

  const fill = () => {
    // fetched first, since browsers may remember of a module that it could not be loaded
    filled ??= fetch(filling).then(() => import(filling)).catch(() => {
      filled = undefined; // without a connection: until there is one
      setTimeout(() => { if (dialog.open) fill() }, 2000);
    });
  };

  const search = () => {
    if (!dialog.open) dialog.showModal();
    box.focus(); // within the tap: a phone shows no keyboard for what is focused later
    box.select();
    fill();
  };

  find(".search-button").addEventListener("click", search);
  dialog.addEventListener("click", event => { if (event.target === dialog || clicked(event, ".close")) dialog.close() });
  addEventListener("keydown", event => {
    if (!/^[/sf]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (/** @type {Element} */ (event.composedPath()[0]).matches?.("input, select, textarea, [contenteditable]")) return;
    event.preventDefault();
    search();
  });

  // A link may ask; and whoever comes from the search finds the words marked.
  const params = new URLSearchParams(location.search);
  if (params.has("q")) {
    box.value = params.get("q");
    search();
  }
  if (params.get("h")) {
    const forms = params.get("h").split(" ");
    import(marking).then(({ mark }) => mark(find(".md-content"), forms)).catch(() => {});
  }

  // ---- the colours

  const button = find(".palette");
  const media = button.dataset.media.split("|"), names = button.dataset.names.split("|");
  const name = () => { button.title = button.ariaLabel = names[media.indexOf(document.body.dataset.mdColorMedia)] };
  button.addEventListener("click", () => {
    const next = media[(media.indexOf(document.body.dataset.mdColorMedia) + 1) % media.length];
    __palette(next);
    __md_set("__palette", { color: { media: next } });
    name();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => __palette(document.body.dataset.mdColorMedia));
  name();

  // ---- the contents over the page, on a phone: they say which heading the reader is at

  const reached = headings => headings.findLastIndex(heading => heading?.getBoundingClientRect().top < 0.3 * innerHeight);

  find("#__contents").addEventListener("beforetoggle", event => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    /** @type {HTMLAnchorElement[]} */
    const links = all("#__contents .headings a");
    const last = reached(links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1)))));
    links.forEach((link, place) => place === last ? link.setAttribute("aria-current", "location") : link.removeAttribute("aria-current"));
  });

  // ---- a long part scrolls in the contents: to the page that is read

  const read = find(".book-nav [open] [aria-current]"), pages = read?.closest(".part");
  if (pages) {
    const above = row => row.getBoundingClientRect().top - pages.getBoundingClientRect().top;
    // no row is cut by the title of the part, which stays above them
    const title = /** @type {HTMLElement} */ (pages.firstElementChild);
    const rows = all("ol > li", pages).map(row => above(row) - title.offsetHeight);
    pages.scrollTop += rows.find(y => y >= above(read) - pages.clientHeight / 2) ?? 0;
  }

  // ---- the page for missing addresses, in the language of the address

  const texts = all(".missing");
  if (texts.length) {
    const language = location.pathname.startsWith(new URL("en/", __md_scope).pathname) ? "en" : "ko";
    texts.forEach(text => { text.hidden = text.lang !== language });
    document.title = find("h1", texts.find(text => !text.hidden)).textContent;
  }

  // ---- the questions: what was answered right at the first attempt is kept in this browser, and nowhere else

  const root = new URL("../../", here); // of both sites, which share what is kept
  const address = link => link.pathname.slice(root.pathname.length).replace(/^en\/|index\.html$/g, "");
  /** @type {() => HTMLAnchorElement[]} */
  const pageLinks = () => /** @type {HTMLAnchorElement[]} */ (all(".book-nav li > a")).filter(link => !link.hash);
  const words = find(".book-nav").dataset;
  // by the address of a page, the last one with an answer at the end: how many questions it has, and by id whether the
  // first answer was right
  let kept = {};
  const begin = /** @type {HTMLAnchorElement} */ (find(".begin")), unread = begin && { href: begin.href, textContent: begin.textContent };

  // Of the questions that the first page of a part asks again, by id: how often in a row the answer was right, and from
  // when on it is asked once more. Each interval of days is longer than the one before.
  const DAYS = [1, 3, 7, 21, 60];
  let again = {};

  const showAgain = () => {
    again = __md_get("again", null, root) ?? again;
    all(".again > .questions").forEach(box => {
      const groups = all(".question", box), due = group => again[group.firstElementChild.id]?.due ?? 0;
      groups.forEach(group => { group.hidden = due(group) > Date.now() && !group.dataset.answered });
      const hidden = groups.filter(group => group.hidden);
      find(":scope > .later", box)?.remove();
      if (!hidden.length) return;
      const later = Object.assign(document.createElement("p"), { className: "later" });
      const date = new Date(Math.min(...hidden.map(due))).toLocaleDateString(document.documentElement.lang);
      later.textContent = box.dataset.later.replace("{date}", date).replace("{count}", String(hidden.length));
      box.append(later);
    });
  };

  const answeredAgain = answer => {
    const group = answer.parentElement, id = group.firstElementChild.id;
    if (group.dataset.answered) return; // the first answer counts
    group.dataset.answered = "now";
    const times = answer.classList.contains("right") ? (again[id]?.times ?? 0) + 1 : 0;
    again[id] = { times, due: Date.now() + 864e5 * DAYS[Math.min(times, DAYS.length - 1)] };
    __md_set("again", again, null, root);
  };

  const right = page => Object.values(page.first).filter(Boolean).length;

  // the sign behind what has so many questions, of which so many were answered right
  const mark = (sum, of) => {
    const sign = Object.assign(document.createElement("span"), { className: "answered", role: "img" });
    if (sum === of) sign.classList.add("whole");
    sign.textContent = sum === of ? "✓" : of === 1 ? "✗" : `${sum}/${of}`;
    sign.ariaLabel = sign.title = sum === of ? words.answered : `${words.answered}: ${sum}/${of}`;
    return sign;
  };

  // Where a reader stopped, for whoever wants that kept: by the address of a page, the last one read at the end, the
  // heading that was reached, "" before the first, and whether the text was read to its end.
  let stopped = null;

  const stop = () => {
    const here = address(location), headings = all("article :is(h2, h3)[id]");
    // another page may have switched it on or off, or kept something since
    stopped = __md_get("stopped", null, root) ?? null;
    if (!stopped || !headings.length || !pageLinks().some(link => address(link) === here)) return;
    const last = headings[reached(headings)], before = stopped[here];
    if (!last && !before) return;
    const ends = headings.find(heading => /^(questions|exercises|sources)$/.test(heading.id)) ?? find(".md-footer");
    delete stopped[here];
    stopped[here] = { at: last?.id ?? "", end: Boolean(before?.end) || ends.getBoundingClientRect().top < innerHeight };
    __md_set("stopped", stopped, null, root);
  };

  // On a page that was left before its end, a way to where that was; gone once the reader has taken it, or has moved on.
  const resume = () => {
    find(".stopped-at")?.remove();
    const place = stopped?.[address(location)], heading = place && !place.end && document.getElementById(place.at);
    if (!heading || location.hash || scrollY > 0.3 * innerHeight || heading.getBoundingClientRect().top < innerHeight) return;
    const link = Object.assign(document.createElement("a"), { className: "stopped-at", href: `#${place.at}` });
    const title = find(`.md-sidebar a[href="#${place.at}"]`)?.textContent.trim();
    link.textContent = title ? `${words.continue}: ${title}` : words.continue;
    find(".md-content").append(link);
    const from = scrollY, away = () => {
      if (Math.abs(scrollY - from) < innerHeight / 2) return;
      link.remove();
      removeEventListener("scroll", away);
    };
    addEventListener("scroll", away, { passive: true });
    link.addEventListener("click", () => link.remove());
  };

  // The home page leads back to where a reader stopped; where that is not kept, to the last page with an answer, or to the
  // one after it if all is answered there.
  const lead = links => {
    const page = Object.keys(stopped ?? {}).at(-1), at = links.findIndex(link => address(link) === page);
    if (at >= 0) {
      const { end, at: id } = stopped[page], next = links[at + end] ?? links[at];
      begin.href = next.href + (end || !id ? "" : `#${id}`);
      begin.textContent = `${words.continue}: ${next.querySelector(".number + span").textContent}`;
      return;
    }
    const last = Object.keys(kept).at(-1), place = links.findIndex(link => address(link) === last);
    const whole = place >= 0 && Object.keys(kept[last].first).length >= kept[last].of;
    const next = place < 0 ? null : links[place + whole] ?? links[place];
    begin.href = next ? next.href + (whole ? "" : "#questions") : unread.href;
    begin.textContent = next ? `${words.continue}: ${next.lastElementChild.textContent}` : unread.textContent;
  };

  const show = () => {
    kept = __md_get("questions", null, root) ?? kept;
    stopped = __md_get("stopped", null, root) ?? null;
    all(".book-nav :is(.answered, .seen), .question .answered").forEach(sign => sign.remove());
    const links = pageLinks();
    if (begin) lead(links);
    links.forEach(link => {
      const page = kept[address(link)], seen = stopped?.[address(link)];
      if (seen) {
        const sign = Object.assign(document.createElement("span"), { className: "seen", role: "img" });
        sign.textContent = seen.end ? "●" : "◐";
        sign.ariaLabel = sign.title = seen.end ? words.read : words.begun;
        link.append(sign);
      }
      if (page) link.append(mark(right(page), page.of));
      // a part has the sum of its pages
      const pages = link.dataset.asked ? Object.keys(kept).filter(name => name.startsWith(address(link))) : [];
      if (pages.length) link.append(mark(pages.reduce((sum, name) => sum + right(kept[name]), 0), +link.dataset.asked));
    });
    const here = kept[address(location)];
    all(".question > p").forEach(asked => { if (asked.id in (here?.first ?? {})) asked.append(" ", mark(+here.first[asked.id], 1)) });
    all(".progress .answered").forEach(sum => {
      sum.textContent = String(Object.values(kept).reduce((sum, page) => sum + right(page), 0));
    });
  };

  document.addEventListener("click", event => {
    const answer = /** @type {HTMLDetailsElement} */ (clicked(event, ".answer > summary")?.parentElement);
    if (answer?.closest(".again")) {
      if (!answer.open) answeredAgain(answer);
    } else if (answer && !answer.open) {
      const here = address(location), page = kept[here] ?? { first: {} };
      delete kept[here];
      kept[here] = page;
      const ids = all(".md-content__inner > .questions > .question > p").map(asked => asked.id), id = answer.parentElement.firstElementChild.id;
      page.first[id] ??= answer.classList.contains("right");
      page.of = ids.length;
      Object.keys(page.first).forEach(one => { if (!ids.includes(one)) delete page.first[one] });
      __md_set("questions", kept, null, root);
      show();
    }
    const erase = clicked(event, "button.erase");
    if (erase && confirm(`${erase.textContent}?`)) {
      kept = {};
      again = {};
      if (stopped) __md_set("stopped", {}, null, root);
      try {
        for (const name of [".questions", ".again"]) localStorage.removeItem(root.pathname + name);
      } catch (error) {}
      show();
    }
  });
  addEventListener("pageshow", show);
  addEventListener("pageshow", showAgain);
  addEventListener("pageshow", resume);
  addEventListener("pagehide", stop);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") stop() }); // a phone's pages may end so

  // ---- what a reader can switch on

  const checkbox = box => {
    const label = document.createElement("label"), input = Object.assign(document.createElement("input"), { type: "checkbox" });
    label.append(input, ` ${box.dataset.words}`);
    box.replaceChildren(label);
    return input;
  };

  // Code that an exercise asks for, folded for whoever writes it first.
  const switches = all(".fold");
  switches.forEach(checkbox);
  const fold = on => {
    all(".folded").forEach(box => box.replaceWith(box.lastElementChild));
    if (on) all(".to-write").forEach(code => {
      const box = Object.assign(document.createElement("details"), { className: "listing folded" });
      const name = Object.assign(document.createElement("summary"), { textContent: code.dataset.folded });
      code.replaceWith(box);
      box.append(name, code);
    });
    switches.forEach(box => { box.hidden = false; box.querySelector("input").checked = on });
  };
  if (switches.length) fold(__md_get("fold", null, root) === true);
  switches.forEach(box => box.addEventListener("change", () => {
    const { checked } = box.querySelector("input");
    __md_set("fold", checked, null, root);
    fold(checked);
  }));

  // Where one stopped is kept for whoever asks for it.
  const remembering = find(".remembering");
  if (remembering) {
    const input = checkbox(remembering);
    remembering.hidden = false;
    input.checked = Boolean(stopped ?? __md_get("stopped", null, root));
    input.addEventListener("change", () => {
      if (input.checked) __md_set("stopped", {}, null, root);
      else try { localStorage.removeItem(`${root.pathname}.stopped`) } catch (error) {}
      show();
    });
  }

  // The book without a connection, for whoever asks for it on "Reading the book".
  const offline = find(".offline");
  if (offline && "serviceWorker" in navigator) {
    const input = checkbox(offline), told = document.createElement("span"), { done, failed } = offline.dataset;
    told.setAttribute("role", "status");
    offline.append(" ", told);
    offline.hidden = false;
    navigator.serviceWorker.getRegistration(__md_scope.href).then(one => { input.checked = Boolean(one) });
    input.addEventListener("change", async () => {
      const pages = new Set(all("nav a[href]").map(link => /** @type {HTMLAnchorElement} */ (link).href.split("#")[0]).filter(link => link.startsWith(__md_scope.href)));
      try {
        const { keep, forget } = await import(new URL("offline/keep.js", here).href);
        if (input.checked) await keep(__md_scope, [...pages], (some, of) => { told.textContent = `${some} / ${of}` });
        else await forget();
        told.textContent = input.checked ? done : "";
      } catch (error) {
        told.textContent = failed;
        input.checked = false;
      }
    });
  }

  // ---- the page

  // A glossary term shows its entry on focus as well.
  all(".md-content abbr[title]").forEach(term => { term.tabIndex = 0 });
  // What is too wide for the screen can be scrolled from the keyboard too. To measure it all takes a while, so that
  // waits for a keyboard; and to measure a formula out of sight is what first loads its fonts, so it is done again.
  const measure = () => all("div.formula, .md-typeset__scrollwrap, pre > code").forEach(box => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute("tabindex");
  });
  addEventListener("keydown", event => {
    if (event.key !== "Tab") return;
    measure();
    document.fonts.ready.then(measure);
  }, true);

  let touchable;
  document.addEventListener("click", async event => {
    const copy = clicked(event, "button.copy");
    if (copy) {
      const code = copy.parentElement.querySelector("code");
      getSelection().selectAllChildren(code); // seen; and all there is where a page may not write to the clipboard
      await navigator.clipboard?.writeText(code.innerText.trimEnd() + "\n");
      copy.classList.add("copied");
      setTimeout(() => copy.classList.remove("copied"), 2000);
    }
    // A figure that can be touched: what it needs is loaded now, and takes the place of the drawing. The button goes up
    // as far as it takes to see all of it, and stays where it is when the drawing comes back.
    const touch = clicked(event, "button.touch");
    if (touch) {
      const figure = touch.parentElement;
      /** @type {(on?: boolean) => void} */
      const turn = on => {
        const { top } = touch.getBoundingClientRect();
        const comes = figure.classList.toggle("touched", on);
        const height = figure.getBoundingClientRect().bottom - touch.getBoundingClientRect().top;
        const highest = find(".md-header").getBoundingClientRect().bottom + 8;
        const there = comes ? Math.min(top, Math.max(highest, innerHeight - height)) : top;
        const by = touch.getBoundingClientRect().top - there;
        scrollBy({ top: by - 2, behavior: "instant" });
        // Downwards, else the theme takes it for a reader who goes up; by what is left once the browser has laid out what
        // it shows now, since each scroll is rounded to pixels.
        const rest = () => scrollBy({ top: Math.max(1, touch.getBoundingClientRect().top - there), behavior: "instant" });
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(rest)));
      };
      find(":scope > [role=alert]", figure)?.remove();
      turn();
      const module = new URL("touch/touchable.js", here).href;
      // fetched first, since browsers may remember of a module that it could not be loaded
      touchable ??= fetch(module).then(() => import(module));
      touchable.then(({ open }) => open(touch)).catch(() => {
        touchable = undefined;
        turn(false);
        touch.after(Object.assign(document.createElement("p"), { role: "alert", textContent: touch.dataset.failed }));
      });
    }
    // The switch keeps the heading that the reader is at.
    const link = /** @type {HTMLAnchorElement} */ (clicked(event, ".md-select__link[hreflang]"));
    if (link) link.hash = location.hash;
    // A heading of this page, chosen from the contents where these cover the page.
    if (clicked(event, ".headings a")) clicked(event, "[popover]").hidePopover();
  });

  // An address that says what a figure shows opens it; what it says is for the figure to read.
  const enter = () => {
    const touch = location.hash.startsWith("#at=") && find("button.touch");
    if (!touch) return;
    touch.scrollIntoView({ block: "start", behavior: "instant" }); // first: what opens stays where it is
    if (!touch.closest(".touched")) touch.click();
  };
  addEventListener("hashchange", enter);
  enter();
})();

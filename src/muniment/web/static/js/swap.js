// Replacing the content of the page by a newer rendering of it: what was open stays open, focus stays where it was,
// pieces glide.

import { layPlaces } from "./places.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// Where the focus goes when what had it is gone: to the next thing that can be done.
const NEXT = "#actions .act, .own-choices button, #act-end, #actions";

export const moving = () => !still.matches;

export function parse(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const one of page.querySelectorAll("noscript")) one.remove(); // a parsed page takes scripts to be off
  return page;
}

function remembered(main) {
  const active = document.activeElement;
  const inside = active && main.contains(active) ? active : null;
  const about = inside?.closest("[popover]")?.id ?? "";
  return {
    focus: inside ? inside.id || about.replace(/^about-/, "") || nearest(inside) : "",
    wasAction: Boolean(inside?.closest("#actions, .stage, #turnbar, .own-dice, [popover]")),
    open: new Map([...main.querySelectorAll("details[id]")].map((one) => [one.id, one.open])),
    decision: decisionIn(main),
    // What was ticked, chosen or typed and not yet sent.
    chosen: [...main.querySelectorAll("input[id], select[id]")].map((one) => [one.id, one.checked, one.value]),
  };
}

function decisionIn(main) {
  return main.querySelector("#play [name=decision]")?.value ?? "";
}

function nearest(element) {
  return element.closest("[id]")?.id ?? "";
}

function restore(main, before) {
  for (const one of main.querySelectorAll("details[id]")) {
    // The newest turn of the chronicle opens by itself; everything else stays as its reader left it.
    if (before.open.has(one.id) && !one.id.startsWith("log-")) one.open = before.open.get(one.id);
  }
  const undecided = before.decision === decisionIn(main);
  for (const [id, checked, value] of before.chosen) {
    const one = document.getElementById(id);
    if (!one || (!undecided && id !== "say")) continue;
    if (one.type === "checkbox") one.checked = checked;
    else if (one.type !== "range") one.value = value;
  }
  layPlaces(main);
  if (!before.focus && !before.wasAction) return;
  const same = document.getElementById(before.focus);
  const usable = same && !same.disabled;
  const next = usable ? same : before.wasAction ? main.querySelector("#ending") ?? main.querySelector(NEXT) : null;
  next?.focus({ preventScroll: usable });
}

// Show a newer rendering of one part; the focus stays where it was in it.
export function replace(old, newer) {
  const focus = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(document.adoptNode(newer));
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}

// Show the newer page. Resolves when it stands there.
export async function show(newer) {
  const next = newer.querySelector("main");
  const main = document.querySelector("main");
  if (!next || !main) return;
  const change = () => {
    const before = remembered(main);
    const x = scrollX, y = scrollY;
    for (const art of newer.querySelectorAll("svg.art-defs")) {
      if (!document.getElementById(art.id)) main.before(document.importNode(art, true));
    }
    main.replaceWith(document.adoptNode(next));
    document.title = newer.title;
    document.body.className = newer.body.className;
    for (const link of document.querySelectorAll("a.skip")) link.hidden = !document.querySelector(link.hash);
    restore(next, before);
    scrollTo(x, y);
  };
  if (document.startViewTransition && moving() && !document.hidden) {
    const transition = document.startViewTransition(change);
    transition.ready.catch(() => {}); // skipped, for instance because the next change came first
    transition.finished.catch(() => {});
    await transition.updateCallbackDone;
  } else {
    change();
  }
}

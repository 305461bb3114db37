// The live table: moves are sent without leaving the page, and the page follows what others do.
import { announce } from "./announce.js";
import { pace, rollNew, showPace } from "./dice.js";
import { label, wanted, yourTurn } from "./notify.js";
import { parse, replace, show } from "./swap.js";

let moving = false; // a move of ours is under way
let looking = null; // a refresh under way
let newest = ""; // the version that the stream told last
let source = null;
let waiting = 0;

const table = () => document.querySelector("main[data-live]");

export function followTable() {
  if (!table()) return;
  document.addEventListener("submit", submitted);
  document.addEventListener("visibilitychange", () => (document.hidden ? wanted() || close() : reopen()));
  document.addEventListener("pace", () => { close(); listen(); }); // the stream says how slowly bots are to play
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) reopen(); });
  listen();
  askAgain();
}

function close() {
  source?.close();
  source = null;
}

function reopen() {
  if (!source) {
    listen();
    refresh(true);
  }
}

function listen() {
  const main = table();
  if (!main?.dataset.stream || (document.hidden && !wanted())) return;
  source = new EventSource(`${main.dataset.stream}?last=${encodeURIComponent(main.dataset.version)}&pace=${pace()}`);
  source.addEventListener("version", (event) => {
    newest = event.data;
    refresh();
  });
}

// Fetch the page anew until it shows the newest version; only one fetch at a time, and none during a move of ours.
function refresh(always = false) {
  if (moving || looking || (!always && (!newest || newest === table()?.dataset.version))) return;
  const told = newest;
  looking = look().finally(() => {
    looking = null;
    if (newest !== told) refresh();
  });
}

// Some things are still being computed when a page is rendered: they are asked for again while they are.
function askAgain() {
  clearTimeout(waiting);
  const one = table()?.querySelector("[data-again]");
  if (!one) return;
  waiting = setTimeout(() => {
    if (document.hidden || moving || looking) return askAgain();
    looking = look(one.closest("section[id]")?.id).finally(() => {
      looking = null;
      refresh();
      askAgain();
    });
  }, Number(one.dataset.again) * 1000);
}

// part: the id of what alone is shown anew as long as it is the only thing that may have changed.
async function look(part) {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) return;
    const newer = parse(await answer.text());
    const same = newer.querySelector("main[data-live]")?.dataset.version === table().dataset.version;
    const found = part && same ? newer.getElementById(part) : null;
    if (found?.querySelector("[data-again]")) replace(document.getElementById(part), found);
    else await appear(newer);
  } catch {
    // No connection: the stream comes back by itself and brings the newest version.
  }
}

async function appear(newer) {
  const next = newer.querySelector("main[data-live]");
  if (!next || next.dataset.table !== table()?.dataset.table) return false;
  const fresh = next.dataset.version !== table().dataset.version;
  if (fresh) await rollNew(newer);
  const mineNow = next.dataset.turn === "you" && table().dataset.turn !== "you";
  await show(newer);
  label();
  showPace();
  askAgain();
  if (mineNow) yourTurn(document.title);
  const notice = document.querySelector("main .notice");
  announce(notice ? notice.textContent.trim() : fresh ? document.getElementById("latest")?.textContent.trim() : "");
  if (notice) notice.scrollIntoView({ block: "nearest" });
  return true;
}

async function submitted(event) {
  const form = event.target;
  // Attributes, not properties: a button called "action" hides the form's own.
  const plain = form.hasAttribute("data-plain") || form.getAttribute("method") !== "post" || !form.closest("main[data-live]");
  if (plain || event.defaultPrevented) return;
  event.preventDefault();
  if (moving) return;
  moving = true;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const address = form.getAttribute("action");
  if (form.elements.namedItem("text")) form.reset(); // what was said is on its way
  await looking;
  table().setAttribute("aria-busy", "true");
  try {
    const answer = await send(address, body);
    const newer = parse(await answer.text());
    if (!(await appear(newer))) {
      if (answer.ok) location.assign(answer.redirected ? answer.url : location.href);
      else refuse(newer.querySelector(".error-page .lead")?.textContent.trim() || "This was refused.");
    }
  } catch {
    announce("No connection. Nothing was lost; please try again.");
    table()?.removeAttribute("aria-busy");
  } finally {
    moving = false;
    refresh();
  }
}

// What was refused before it came to the table is told at the head of the page, which stays as it is.
function refuse(text) {
  const main = table();
  if (!main) return;
  main.removeAttribute("aria-busy");
  main.querySelector(":scope > .notice")?.remove();
  const notice = document.createElement("div");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.append(Object.assign(document.createElement("p"), { textContent: text }));
  main.prepend(notice);
  notice.scrollIntoView({ block: "nearest" });
}

// A move carries a key, so sending it again is harmless: the first answer comes back.
async function send(address, body) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { Accept: "text/html" } });
      if (answer.status !== 503 || attempt >= 4) return answer;
    } catch (error) {
      if (attempt >= 4) throw error;
      announce("No connection; trying again.");
    }
    await new Promise((resolve) => { setTimeout(resolve, 400 * 2 ** attempt); });
  }
}

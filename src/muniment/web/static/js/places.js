// Forms of tiles that each go to a place: by dragging, by tapping, or with the box or list that each tile has anyway.
// The form stays what it is without scripts, and is sent as one.
import { announce } from "./announce.js";

const FAR = 7; // how far a pointer moves before it drags, in pixels
const HOLD = 220; // how long a finger rests before it drags, in milliseconds: a quicker one scrolls the page
const EDGE = 48; // nearer to the window's edge than this, dragging scrolls, in pixels
let drag = null;
let dropped = -1; // when a tile was dropped last: the click of that moment is none

const control = (tile) => tile.querySelector("input[type=checkbox], select");
const zoneOf = (tile) => {
  const one = control(tile);
  return one.type === "checkbox" ? Number(one.checked) : one.selectedIndex;
};
const named = (tile) => tile.querySelector(".tile-name").textContent;

function put(tiles, zone) {
  const form = tiles[0].closest("form");
  const most = Number(form.dataset.most || Infinity);
  for (const tile of tiles) {
    const one = control(tile);
    if (one.type !== "checkbox") one.selectedIndex = zone;
    else {
      one.checked = false;
      one.checked = zone === 1 && form.querySelectorAll("input:checked").length < most;
    }
    delete tile.dataset.held;
  }
  sort(form);
  announce(`${tiles.map(named).join(", ")}: ${form.querySelectorAll(".place-name")[zoneOf(tiles[0])].textContent}`);
}

// Every tile into the zone that its box or list tells; how many there are in each.
function sort(form) {
  const zones = [...form.querySelectorAll(".place")];
  for (const tile of form.querySelectorAll(".place li")) {
    const list = zones[zoneOf(tile)].querySelector("ul");
    const later = [...list.children].find((one) => Number(one.dataset.order) > Number(tile.dataset.order));
    if (tile.parentElement !== list) list.insertBefore(tile, later ?? null);
  }
  for (const zone of zones) {
    const most = zone === zones[1] && form.dataset.most ? ` / ${form.dataset.most}` : "";
    zone.querySelector(".place-count").textContent = `${zone.querySelectorAll("li").length}${most}`;
  }
}

// Give the forms of a page their zones.
export function layPlaces(page) {
  for (const form of page.querySelectorAll("form[data-places]:not(.placed)")) {
    const list = form.querySelector("ul.tiles");
    const select = list.querySelector("select");
    if (!list.children.length) continue;
    const names = select ? [...select.options].map((one) => one.textContent) : form.dataset.zones.split("|");
    form.classList.add("placed");
    const zones = names.map((name) => {
      const zone = document.createElement("div");
      zone.className = "place";
      const heading = document.createElement("p");
      heading.className = "place-head";
      for (const [css, text] of [["place-name", name], ["place-count", ""]]) {
        heading.append(Object.assign(document.createElement("span"), { className: css, textContent: text }));
      }
      const tiles = document.createElement("ul");
      tiles.className = "tiles";
      tiles.setAttribute("aria-label", name);
      zone.append(heading, tiles);
      return zone;
    });
    if (form.dataset.hint) {
      list.before(Object.assign(document.createElement("p"), { className: "hint", textContent: form.dataset.hint }));
    }
    const grid = document.createElement("div");
    grid.className = "place-grid";
    grid.append(...zones);
    [...list.children].forEach((tile, order) => { tile.dataset.order = order; });
    zones[0].querySelector("ul").append(...list.children);
    list.replaceWith(grid);
    sort(form);
  }
}

export function followPlaces() {
  layPlaces(document);
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.placed");
    if (!form) return;
    const tile = event.target.closest("li");
    const focus = document.activeElement;
    put([tile], zoneOf(tile));
    if (focus === event.target) focus.focus({ preventScroll: true });
  });
  document.addEventListener("click", clicked, true);
  document.addEventListener("pointerdown", pressed);
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerup", (event) => drop(event));
  document.addEventListener("pointercancel", () => drop(null));
  document.addEventListener("touchmove", (event) => { if (drag?.ghost) event.preventDefault(); }, { passive: false });
  document.addEventListener("contextmenu", (event) => { if (drag) event.preventDefault(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") drop(null); });
}

// A tap on a tile with a list holds it, a tap on a place puts there what is held. A tile with a box is ticked anyway.
function clicked(event) {
  const zone = event.target.closest?.("form.placed .place");
  if (!zone) return;
  if (event.detail && Math.abs(event.timeStamp - dropped) < 2) {
    event.preventDefault();
    return;
  }
  const tile = event.target.closest("li");
  if (tile && control(tile).type === "checkbox") return;
  if (tile && event.target.closest("select")) return;
  const form = zone.closest("form");
  const held = [...form.querySelectorAll("[data-held]")];
  const at = [...form.querySelectorAll(".place")].indexOf(zone);
  if (held.some((one) => zoneOf(one) !== at) && !(tile && "held" in tile.dataset)) put(held, at);
  else if (tile && "held" in tile.dataset) delete tile.dataset.held;
  else if (tile) tile.dataset.held = "";
}

function pressed(event) {
  const tile = event.target.closest?.("form.placed .place li");
  if (!tile || event.button || event.target.closest("select") || drag) return;
  const held = "held" in tile.dataset ? [...tile.closest("form").querySelectorAll("[data-held]")] : [tile];
  drag = { tiles: held, tile, form: tile.closest("form"), x: event.clientX, y: event.clientY, ghost: null };
  if (event.pointerType === "touch") drag.timer = setTimeout(() => lift(event.clientX, event.clientY), HOLD);
}

function moved(event) {
  if (!drag) return;
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
  if (!drag.ghost) {
    if (!far) return;
    if (drag.timer) drop(null); // a finger that moves at once scrolls
    else lift(event.clientX, event.clientY);
    return;
  }
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  if (event.clientY < EDGE) scrollBy(0, -EDGE / 4);
  else if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4);
  const over = under(event);
  for (const zone of drag.form.querySelectorAll(".place")) zone.classList.toggle("over", zone === over);
}

function lift(x, y) {
  if (!drag?.form.isConnected) {
    drop(null);
    return;
  }
  const ghost = drag.tile.querySelector(".tile").cloneNode(true);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  if (drag.tiles.length > 1) ghost.dataset.number = drag.tiles.length;
  ghost.style.transform = `translate(${x}px, ${y}px)`;
  document.body.append(ghost);
  drag.ghost = ghost;
  for (const one of drag.tiles) one.classList.add("lifted");
  getSelection().removeAllRanges();
}

function under(event) {
  const zone = document.elementFromPoint(event.clientX, event.clientY)?.closest(".place");
  return zone && drag.form.contains(zone) ? zone : null;
}

// The end of dragging: onto the place under the pointer, or back.
function drop(event) {
  if (!drag) return;
  const { tiles, form, ghost, timer } = drag;
  const zone = ghost && event ? under(event) : null;
  clearTimeout(timer);
  ghost?.remove();
  for (const one of tiles) one.classList.remove("lifted");
  for (const one of form.querySelectorAll(".over")) one.classList.remove("over");
  drag = null;
  if (ghost && event) dropped = event.timeStamp;
  if (zone) put(tiles, [...form.querySelectorAll(".place")].indexOf(zone));
}

// A tray at the foot of the window where new dice tumble, one roll after the other, before the board changes: so a
// battle is seen stage by stage. The viewer sets the pace; a click or a key makes it short.
import { moving } from "./swap.js";

const KEY = "muniment-pace";
const TUMBLE = 750;
const VERDICT = 650; // between two rolls
const LINGER = 1900;
const MOST = 12; // rolls shown one by one; of more, the last ones
let leaving = 0;

const last = (page) => Number(page.querySelector("#rolls")?.dataset.last || -1);
export const pace = () => Number(localStorage.getItem(KEY) ?? 1);

export async function rollNew(newer) {
  const before = last(document);
  const rolls = [...newer.querySelectorAll("#rolls .roll")].filter((one) => Number(one.dataset.number) > before);
  if (!rolls.length || !moving() || document.hidden || !pace()) return;
  document.querySelector(".tray")?.remove();
  clearTimeout(leaving);
  const tray = document.createElement("div");
  tray.className = "tray";
  tray.setAttribute("aria-hidden", "true");
  document.body.append(tray);
  let hurried = false;
  const shown = rolls.slice(-MOST);
  for (const [number, one] of shown.entries()) {
    const roll = document.importNode(one, true);
    roll.hidden = false;
    tray.replaceChildren(roll);
    tray.classList.add("rolling");
    hurried ||= await waited(hurried ? 0 : TUMBLE * pace());
    tray.classList.remove("rolling");
    if (number < shown.length - 1) hurried ||= await waited(hurried ? 0 : VERDICT * pace());
  }
  leaving = setTimeout(() => tray.remove(), LINGER * Math.max(pace(), 0.5));
}

// Resolves after the time, or at once when the viewer clicks or types; tells whether that was it.
function waited(time) {
  return new Promise((resolve) => {
    const done = (event) => {
      clearTimeout(timer);
      removeEventListener("pointerdown", done);
      removeEventListener("keydown", done);
      resolve(Boolean(event));
    };
    const timer = setTimeout(done, time);
    addEventListener("pointerdown", done);
    addEventListener("keydown", done);
  });
}

// The list with which the viewer sets the pace.
export function offerPace() {
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-pace] select")) return;
    localStorage.setItem(KEY, event.target.value);
    document.dispatchEvent(new Event("pace"));
  });
  showPace();
}

export function showPace() {
  for (const one of document.querySelectorAll("[data-pace]")) {
    one.hidden = !moving() && !("bots" in one.dataset);
    one.querySelector("select").value = String(pace());
  }
}

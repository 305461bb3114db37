// The replay's slider: the board follows it while it is dragged.
import { parse, show } from "./swap.js";

let under = false;
let next = null;

export function followReplay() {
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-replay] input[type=range]")) return;
    const form = event.target.form;
    form.querySelector("output").textContent = `${event.target.value} / ${event.target.max}`;
    next = `${form.getAttribute("action")}?step=${event.target.value}`;
    if (!under) follow();
  });
}

async function follow() {
  under = true;
  while (next) {
    const address = next;
    next = null;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (answer.ok && !next) {
        await show(parse(await answer.text()));
        history.replaceState(null, "", address);
      }
    } catch {
      break;
    }
  }
  under = false;
}

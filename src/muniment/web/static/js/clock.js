// Clocks run on between two renderings of the page.
export function runClocks() {
  const begun = new WeakMap();
  setInterval(() => {
    for (const one of document.querySelectorAll("[data-left]")) {
      if (!begun.has(one)) begun.set(one, performance.now());
      const spent = one.hasAttribute("data-running") ? (performance.now() - begun.get(one)) / 1000 : 0;
      const left = Math.max(0, Math.ceil(Number(one.dataset.left) - spent));
      one.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  }, 500);
}

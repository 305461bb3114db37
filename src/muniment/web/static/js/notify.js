// "Your turn" as a notification of the browser, for whoever asks for it. Kept in this browser only.
const KEY = "muniment-notify";

export const wanted = () => "Notification" in window && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";

export function offerNotifications() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-notify]");
    if (!button) return;
    if (wanted()) localStorage.setItem(KEY, "off");
    else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
    label();
  });
  label();
}

export function label() {
  for (const button of document.querySelectorAll("[data-notify]")) {
    button.hidden = !("Notification" in window);
    button.setAttribute("aria-pressed", String(wanted()));
  }
}

export function yourTurn(title) {
  if (document.hidden && wanted()) new Notification(title, { tag: location.pathname });
}

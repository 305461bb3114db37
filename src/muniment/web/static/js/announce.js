// What has happened, told to a screen reader.
export function announce(text) {
  const place = document.getElementById("announce");
  if (!place || !text) return;
  place.textContent = "";
  setTimeout(() => { place.textContent = text; }, 60);
}

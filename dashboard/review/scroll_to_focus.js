// Scrolls each pane to what is in focus, and never the page.
/* {audit} {sentence} {chunk} */
document.querySelectorAll(".pv-focus").forEach((e) => {
  const pane = e.closest(".st-key-review_answer, .st-key-review_chunks");
  if (!pane) return;
  const [at, room] = [e.getBoundingClientRect(), pane.getBoundingClientRect()];
  const [above, below] = [at.top - 12 - room.top, at.bottom + 12 - room.bottom];
  if (above < 0) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += Math.min(above, below);
});
/* A closed select box that still has the focus would take the keys: the page gets them. */
if (!window.pvKeys) {
  window.pvKeys = true;
  window.addEventListener("keydown", (event) => {
    const box = event.target.closest?.("[data-testid=stSelectbox] input");
    const own = ["Tab", "Enter", "Escape", "ArrowUp", "ArrowDown", " "];
    if (!box || box.getAttribute("aria-expanded") === "true" || own.includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    box.blur();
    document.body.dispatchEvent(new KeyboardEvent("keydown", {
      key: event.key, code: event.code, ctrlKey: event.ctrlKey, shiftKey: event.shiftKey,
      altKey: event.altKey, metaKey: event.metaKey, bubbles: true, cancelable: true,
    }));
  }, true);
}

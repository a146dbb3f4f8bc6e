// A click gives the page itself the focus, and the next key would frame it: the frame is for those
// who move by Tab.
if (!window.pvNotesPointer) {
  window.pvNotesPointer = true;
  const root = document.documentElement;
  document.addEventListener("pointerdown", () => { root.dataset.pvBy = "pointer"; }, true);
  document.addEventListener(
    "keydown", (event) => { if (event.key === "Tab") delete root.dataset.pvBy; }, true
  );
}

// A table that gets the focus chooses its first cell. A click on a heading gives it the focus too,
// and is to sort, not to open the first row.
if (!window.pvSortsAlone) {
  window.pvSortsAlone = true;
  const HEADING = 36;
  let heading = false;
  window.addEventListener("pointerdown", (event) => {
    const table = event.target.closest?.("[data-testid=stDataFrame]");
    heading = Boolean(table) && event.clientY - table.getBoundingClientRect().top < HEADING;
  }, true);
  window.addEventListener("keydown", () => { heading = false; }, true);
  window.addEventListener("focusin", (event) => {
    if (heading && event.target.matches?.("[data-testid=stDataFrame] canvas")) {
      event.stopImmediatePropagation();
    }
  }, true);
}

// Streamlit says to its page alone whether it is dark or light. What opens over the page stands
// beside it in the document, and is told here. A heatmap is a picture, which no style reaches: the
// hidden button has it drawn again, once nothing runs or is open that this would end.
if (!window.pvFollowsScheme) {
  window.pvFollowsScheme = true;
  const root = document.documentElement;
  const page = document.querySelector(".stApp");
  let waits = 0;
  const drawAgain = () => {
    const rests = document.querySelector("[data-test-script-state=notRunning]");
    const busy = !rests || document.querySelector("[role=dialog]");
    if (busy) waits = window.setTimeout(drawAgain, 500);
    else document.querySelector(".st-key-draw_again button")?.click();
  };
  const follow = () => {
    const was = root.style.colorScheme;
    root.style.colorScheme = getComputedStyle(page).colorScheme;
    if (!was || was === root.style.colorScheme) return;
    window.clearTimeout(waits);
    waits = window.setTimeout(drawAgain, 300);
  };
  follow();
  new MutationObserver(follow).observe(page, { attributes: true, attributeFilter: ["class"] });
}

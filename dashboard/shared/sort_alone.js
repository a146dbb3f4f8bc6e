// A table that gets the focus chooses its first cell. A click on a heading gives it the focus too,
// and is to sort, not to open the first row.
/* headings sort */
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

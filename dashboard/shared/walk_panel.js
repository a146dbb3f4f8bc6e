// A table that has the focus keeps the arrow keys for its cells: left and right are for the panel
// beside it, as they are outside the table.
/* arrows walk */
if (!window.pvArrowsWalk) {
  window.pvArrowsWalk = true;
  const WAYS = { ArrowLeft: "previous", ArrowRight: "next" };
  window.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (!way || other || !event.target.closest?.("[data-testid=stDataFrame]")) return;
    const room = event.target.closest("[class*=st-key-audits_]");
    const button = room?.querySelector(`[class*=st-key-${way}_] button`);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  }, true);
}

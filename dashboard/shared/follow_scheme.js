// Streamlit says to its page alone whether it is dark or light. What opens over the page stands
// beside it in the document, and is told here. A heatmap is a picture, which no style reaches: the
// hidden button has it drawn again, once nothing runs or is open that this would end.
/* dark or light */
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

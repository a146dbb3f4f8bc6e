// A click gives the page itself the focus, and the next key would frame it: the frame is for those
// who move by Tab.
/* pointer or Tab */
if (!window.pvNotesPointer) {
  window.pvNotesPointer = true;
  const root = document.documentElement;
  document.addEventListener("pointerdown", () => { root.dataset.pvBy = "pointer"; }, true);
  document.addEventListener(
    "keydown", (event) => { if (event.key === "Tab") delete root.dataset.pvBy; }, true
  );
}

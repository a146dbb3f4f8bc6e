// The answer is HTML whose radio buttons work without a script. This tells the server which one was
// chosen, and sets it again where the server chose or the HTML is drawn anew. What was clicked last
// counts until the server has answered, so that no answer on the way moves the choice back.
export default function ({ data, setTriggerValue }) {
  const last = (window.provenanceFollower ??= { clicked: null });
  last.stop?.();
  const report = (box) => {
    last.clicked = Number(box.id.slice("pv-s".length));
    setTriggerValue("sentence", last.clicked);
  };
  if (last.clicked === data.chosen) last.clicked = null;
  if (last.audit !== data.audit) {
    last.audit = data.audit;
    last.clicked = null;
    // Clicked while this was still on its way to the browser.
    const box = document.querySelector("input[name=pv-sentence]:checked");
    if (box && !box.defaultChecked && box.id !== "pv-s" + data.chosen) report(box);
  }
  const choose = () => {
    const box = document.getElementById("pv-s" + (last.clicked ?? data.chosen));
    if (box && !box.checked) box.checked = true;
  };
  const changed = (event) => {
    if (event.target.name === "pv-sentence") report(event.target);
  };
  const page = document.querySelector("[data-testid=stMain]") ?? document.body;
  const observer = new MutationObserver(choose);
  document.addEventListener("change", changed);
  observer.observe(page, { childList: true, subtree: true });
  last.stop = () => {
    document.removeEventListener("change", changed);
    observer.disconnect();
  };
  choose();
  return last.stop;
}

// The comment is read as the page is left, so that words count that were not sent to the server yet.
const PLACE = "provenance-drafts";

function kept() {
  try {
    return JSON.parse(window.sessionStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

function store(drafts) {
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(drafts));
  } catch {
    window.sessionStorage.removeItem(PLACE);
  }
}

export default function ({ data, setTriggerValue }) {
  const own = (window.provenanceDrafts ??= { asked: new Set() });
  own.stop?.();
  const drafts = kept(), found = drafts[data.key], asked = own.asked.has(data.key);
  own.asked.add(data.key);
  if (!asked && found && !data.draft) {
    setTriggerValue("found", found);
    return;
  }
  if (data.draft) drafts[data.key] = data.draft;
  else delete drafts[data.key];
  store(drafts);
  const leave = () => {
    const comment = document.querySelector(`.st-key-${data.comment} textarea`)?.value ?? "";
    const draft = data.draft ?? data.start;
    if (comment !== draft.comment) store({ ...kept(), [data.key]: { ...draft, comment } });
  };
  const stop = new AbortController();
  window.addEventListener("pagehide", leave, { signal: stop.signal });
  own.stop = () => stop.abort();
  return own.stop;
}

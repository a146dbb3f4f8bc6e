// The page is read as it is left, so that words count that were not sent to the server yet. While
// nothing is typed over an audit that is shown, there is nothing to keep: the audit has it.
const PLACE = "provenance-form";
const box = (key) => document.querySelector(`.st-key-${key} textarea`);
const text = (form) => form.query + form.answer + form.context +
  form.items.map((item) => item.text).join("");

function formOf(data) {
  const query = box("query"), answer = box("answer"), context = box("context_text");
  if (!query || !answer) return null;
  return {
    audit: data.audit, owner: data.owner, query: query.value, answer: answer.value,
    boxes: !context, context: context ? context.value : "", whole: true,
    items: context ? [] : data.boxes.map((number) => ({
      text: box("box_" + number)?.value ?? "", name: data.names[number] ?? "",
    })),
  };
}

function kept() {
  try {
    return JSON.parse(window.sessionStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

function store(form) {
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(form));
  } catch {
    // A browser keeps some five million characters.
    try {
      const rest = { ...form, context: "", items: [], whole: false };
      window.sessionStorage.setItem(PLACE, JSON.stringify(rest));
    } catch {
      window.sessionStorage.removeItem(PLACE);
    }
  }
}

export default function ({ data, setTriggerValue }) {
  const own = (window.provenanceForm ??= { typed: false, found: null });
  own.stop?.();
  const keep = () => {
    const form = formOf(data);
    if (!form || (data.audit && !own.typed)) return;
    // What was found is on its way into the form.
    if (own.found && !text(form)) return;
    if (text(form)) store(form);
    else window.sessionStorage.removeItem(PLACE);
  };
  const typed = (event) => {
    if (!event.target.closest?.("[data-testid=stTextArea], [data-testid=stFileUploader]")) return;
    own.typed = true;
    own.found = null;
    // Not sent to the server before the box is left, or Ctrl+Enter is pressed in it.
    if (event.target === box("context_text")) {
      own.unsent = event.type === "input" ? event.target.value : null;
    }
    window.clearTimeout(own.soon);
    own.soon = window.setTimeout(keep, 300);
  };
  if (own.audit === undefined) {
    const found = kept();
    if (found && found.owner !== data.owner) window.sessionStorage.removeItem(PLACE);
    else if (found && found.audit === data.audit && text(found)) {
      own.found = found;
      own.typed = true;
      setTriggerValue("found", found);
    }
  } else if (own.audit !== data.audit) {
    own.typed = false;
    own.found = null;
    window.clearTimeout(own.soon);
    window.sessionStorage.removeItem(PLACE);
  }
  if (own.uploads !== data.uploads) {
    // Files were read, and their items are where this was typed.
    if (typeof own.unsent === "string") setTriggerValue("late", own.unsent);
    own.unsent = null;
    own.uploads = data.uploads;
  }
  own.audit = data.audit;
  const stop = new AbortController(), { signal } = stop;
  for (const event of ["input", "change", "drop"]) {
    document.addEventListener(event, typed, { signal, capture: true });
  }
  window.addEventListener("pagehide", keep, { signal });
  own.stop = () => stop.abort();
  return own.stop;
}

// Milliseconds: how long a part of the page may be gone while it is drawn again; how long a key
// waits for a page that is being drawn, and for a box or button that a drawn page lacks; how often
// it looks.
const GONE = 5000, LONGEST = 60000, ABSENT = 10000, EVERY = 20;
const EDITABLE = "textarea, select, [contenteditable=true], " +
  "input:not([type=checkbox], [type=radio], [type=range], [type=button])";
// A box of which no key is for the judgement: Ctrl+Enter ends the typed text there.
const OWN_BOX = ".st-key-typed_correction_room";
const FOLLOWING = ["Enter", "Escape", "Backspace", "ArrowLeft", "ArrowRight"];

function shortcutOf(event) {
  if (event.altKey) return "";
  const one = event.key.length === 1, name = one ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && (!one || name !== name.toLowerCase());
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (shift ? "Shift+" : "") + name;
}

const running = () => {
  const app = document.querySelector("[data-test-script-state]");
  return Boolean(app) && app.dataset.testScriptState !== "notRunning";
};

function refuse(own) {
  const lost = own.queue.length;
  own.queue = [];
  own.clicked = null;
  if (lost) own.tell(lost);
}

function pump(own) {
  window.clearTimeout(own.timer);
  if (!own.queue.length) return;
  const now = performance.now();
  if (own.gone && now - own.gone > GONE) {
    own.queue = [];
    return;
  }
  if (running()) own.since = now;
  const busy = running() || own.run === own.clicked;
  if (busy || !take(own, own.queue[0], now)) {
    if (now - own.since > (busy ? LONGEST : ABSENT)) refuse(own);
    else own.timer = window.setTimeout(() => pump(own), EVERY);
    return;
  }
  own.queue.shift();
  own.since = now;
  pump(own);
}

// Does what a key is for; false where its box or button is not drawn yet. A key that was typed after
// one that leads into a box or a span belongs there.
function take(own, pressed, now) {
  const { shortcut, key, follows } = pressed, box = document.activeElement?.closest(EDITABLE);
  if (follows && box && !shortcut.startsWith("Ctrl+")) {
    write(box, key);
    return true;
  }
  if (follows && window.provenanceMarking?.press(pressed)) return true;
  if (own.leads.includes(shortcut)) return Boolean(window.provenanceMarking?.begin(shortcut));
  if (!Object.hasOwn(own.keys, shortcut)) return true;
  const button = document.querySelector(`.st-key-${own.keys[shortcut]} button`);
  if (!button) return false;
  if (follows) box?.blur();
  own.clicked = own.run;
  own.since = now;
  if (button.disabled) own.ask(shortcut);
  else button.click();
  return true;
}

function write(box, key) {
  if (key === "Escape") box.blur();
  else if (key === "Backspace") document.execCommand("delete");
  else document.execCommand("insertText", false, key === "Enter" ? "\n" : key);
}

// Whether a key waits behind one that leads into a box or a span, and counts there.
function followsLead(own, event, shortcut) {
  if (!own.queue.some((pressed) => own.leads.includes(pressed.shortcut))) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return Object.hasOwn(own.keys, shortcut);
  return event.key.length === 1 || FOLLOWING.includes(event.key);
}

export default function ({ data, setTriggerValue }) {
  const own = (window.provenanceKeys ??= { queue: [], clicked: null, since: 0 });
  own.stop?.();
  own.gone = 0;
  const mounted = (own.mounted = {});
  own.keys = data.keys;
  own.leads = data.leads;
  own.run = data.run;
  own.tell = (lost) => setTriggerValue("lost", lost);
  own.ask = (shortcut) => setTriggerValue("unavailable", shortcut);
  if (data.refused) refuse(own);
  const pressed = (event) => {
    if (own.gone && performance.now() - own.gone > GONE) {
      own.stop();
      return;
    }
    const shortcut = shortcutOf(event), box = event.target.closest?.(EDITABLE);
    if (box && !event.ctrlKey && !event.metaKey) return;
    const follows = followsLead(own, event, shortcut);
    if (!follows && !own.leads.includes(shortcut) && !Object.hasOwn(own.keys, shortcut)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat && own.queue.length) return;
    box?.blur();  // which sends what is typed there
    if (box?.closest(OWN_BOX)) return;
    own.queue.push({ shortcut, key: event.key, shiftKey: event.shiftKey, follows });
    if (own.queue.length === 1) own.since = performance.now();
    pump(own);
  };
  // A button that was clicked draws the page again, too.
  const clicked = (event) => {
    const buttons = Object.values(own.keys).map((key) => `.st-key-${key} button`).join();
    if (!event.isTrusted || !event.target.closest?.(buttons)) return;
    own.clicked = own.run;
    own.since = performance.now();
  };
  const stop = new AbortController();
  window.addEventListener("click", clicked, { signal: stop.signal, capture: true });
  window.addEventListener("keydown", pressed, { signal: stop.signal, capture: true });
  own.stop = () => stop.abort();
  pump(own);
  return () => {
    // What was drawn in its place may be there already.
    if (own.mounted === mounted) own.gone = performance.now();
  };
}

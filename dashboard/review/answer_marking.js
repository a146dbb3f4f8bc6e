// Characters are counted as Python does; a sign that the page writes out is one of them.
const EDITABLE = "textarea, select, [contenteditable=true], " +
  "input:not([type=checkbox], [type=radio], [type=range], [type=button])";
const COMMENT = "[class*=st-key-review_comment_] textarea";
const TURNS = /\[U\+(202[A-E]|206[6-9])\]/g;
const count = (text) => [...text.replace(TURNS, "\u202a")].length;
const pane = () => document.querySelector(".st-key-review_answer");

function before(node, container, offset) {
  const range = document.createRange();
  range.setStart(node, 0);
  range.setEnd(container, offset);
  return count(range.toString());
}

// The part of the answer that a range covers; null where it covers none.
function covered(range) {
  const parts = [...(pane()?.querySelectorAll(".pv-t") ?? [])]
    .filter((node) => range.intersectsNode(node));
  if (!parts.length) return null;
  const [first, last] = [parts[0], parts[parts.length - 1]];
  const start = Number(first.dataset.start) + (first.contains(range.startContainer)
    ? before(first, range.startContainer, range.startOffset) : 0);
  const end = Number(last.dataset.start) + (last.contains(range.endContainer)
    ? before(last, range.endContainer, range.endOffset) : count(last.textContent));
  return start < end ? { start, end } : null;
}

function place(node, offset) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (offset <= text.length) return [text, offset];
    offset -= text.length;
  }
  return [node, node.childNodes.length];
}

function showWords(own) {
  const { node, words, from, to } = own.marking;
  const range = document.createRange();
  range.setStart(...place(node, words[from].index));
  range.setEnd(...place(node, words[to].index + words[to][0].length));
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function beginMarking(own) {
  const node = pane()?.querySelector(".pv-focus .pv-t");
  const words = node ? [...node.textContent.matchAll(/\S+/g)] : [];
  if (!words.length) return false;
  own.marking = { node, words, from: 0, to: 0 };
  showWords(own);
  return true;
}

function moveMark(own, step, extend) {
  const { words, from, to } = own.marking;
  const inside = (at) => Math.min(Math.max(at, 0), words.length - 1);
  own.marking.to = inside((extend || step > 0 ? to : from) + step);
  own.marking.from = extend ? Math.min(from, own.marking.to) : own.marking.to;
  showWords(own);
}

function mark(own) {
  const selection = window.getSelection();
  const found = selection.rangeCount ? covered(selection.getRangeAt(0)) : null;
  own.marking = null;
  selection.removeAllRanges();
  if (found) own.send("span", { ...found, audit: own.audit });
}

function marked(own, event) {
  if (event.key === "Escape") {
    own.marking = null;
    window.getSelection().removeAllRanges();
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) mark(own);
  else if (event.key === "ArrowRight") moveMark(own, 1, event.shiftKey);
  else if (event.key === "ArrowLeft") moveMark(own, -1, event.shiftKey);
  else return false;
  return true;
}

export default function ({ data, setTriggerValue }) {
  const own = (window.provenanceMarking ??= {});
  own.stop?.();
  own.audit = data.audit;
  own.send = (name, value) => setTriggerValue(name, value);
  own.begin = (key) => {
    if (key === data.spanKey) return beginMarking(own);
    const box = document.querySelector(COMMENT);
    box?.focus();
    return Boolean(box);
  };
  own.press = (event) => Boolean(own.marking?.node.isConnected) && marked(own, event);
  const pressed = (event) => {
    const box = event.target.closest?.(EDITABLE);
    if (box) {
      if (event.key === "Escape" && box.matches(COMMENT)) box.blur();
      return;
    }
    if (!own.press(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const down = (event) => {
    own.begun = Boolean(event.target.closest?.(".st-key-review_answer"));
  };
  const up = (event) => {
    if (!own.begun || event.button !== 0) return;
    own.begun = false;
    const selection = window.getSelection();
    if (!selection.isCollapsed) {
      mark(own);
      return;
    }
    const sentence = event.target.closest?.(".st-key-review_answer .pv-s")?.dataset.sentence;
    if (sentence !== undefined) {
      own.send("sentence", { sentence: Number(sentence), audit: own.audit });
    }
  };
  const stop = new AbortController();
  window.addEventListener("keydown", pressed, { signal: stop.signal, capture: true });
  window.addEventListener("mousedown", down, { signal: stop.signal, capture: true });
  window.addEventListener("mouseup", up, { signal: stop.signal, capture: true });
  own.stop = () => stop.abort();
  return own.stop;
}

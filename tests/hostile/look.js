// What is wrong with the page as it is now, and how many texts it shows.
(outOfPlace) => {
  const TAGS = 'b,strong,i,em,s,del,code,pre,h1,h2,h3,h4,td,th,li,a,sup,sub,tspan,span';
  const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
  const ENDS = /[\u202c\u2069]/;
  const wrong = new Set();
  const width = document.documentElement.clientWidth;
  let shown = 0;

  const name = node => `${node.tagName.toLowerCase()}[${node.dataset.testid || node.className}]`;
  const coloured = node =>
    /Colored|color|background/.test(`${node.className} ${node.getAttribute('style')}`);

  for (const node of document.querySelectorAll(outOfPlace))
    wrong.add(`an element of a text: ${node.outerHTML.slice(0, 160)}`);
  if (window.ran !== undefined) wrong.add('a script of a text ran');
  for (const node of document.querySelectorAll(TAGS)) {
    // Our own marks on words of a text have classes of their own.
    const ours = node.closest('[class^="pv-"]') || (node.tagName === 'SPAN' && !coloured(node));
    if (/^pv[a-z]+$/.test(node.textContent.trim()) && !ours)
      wrong.add(`markup of a text: ${node.outerHTML.slice(0, 160)}`);
  }
  for (const node of document.querySelectorAll('annotation, mjx-container, .MathJax'))
    wrong.add(`mathematics of a text: ${node.textContent.slice(0, 80)}`);
  for (const node of document.querySelectorAll('[data-testid=stIconMaterial]'))
    if (node.textContent.includes('rodent')) wrong.add('an icon of a text');

  // Over the edge of the window, where no ancestor cuts it off.
  const over = (node, parent) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const piece of range.getClientRects()) {
      let [left, right] = [piece.left, piece.right];
      for (let above = parent; above; above = above.parentElement) {
        const cuts = getComputedStyle(above).overflowX !== 'visible' || above.tagName === 'svg';
        if (!cuts) continue;
        const box = above.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      }
      if (right > left && piece.height && (left < -1 || right > width + 1)) return true;
    }
    return false;
  };

  // The part of the page whose direction the signs of this node turn.
  const turned = parent => {
    let block = parent;
    const isolates = node => {
      const style = getComputedStyle(node);
      return !/^(inline|contents)$/.test(style.display) || /isolate/.test(style.unicodeBidi);
    };
    while (block.parentElement && !isolates(block)) block = block.parentElement;
    return block;
  };

  const turns = parent => {
    const block = turned(parent);
    // What has a direction of its own is one sign here.
    const inside = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let said = '';
    while (inside.nextNode()) {
      const own = turned(inside.currentNode.parentElement) === block;
      said += own ? inside.currentNode.data : '\ufffc';
    }
    for (const line of said.split('\n')) {
      const parts = line.split('⟧');
      for (const [at, before] of parts.slice(0, -1).entries()) {
        const text = before.slice(before.lastIndexOf('⟦'));
        const open = (text.match(TURNS) || []).reduce(
          (depth, sign) => (ENDS.test(sign) ? Math.max(0, depth - 1) : depth + 1), 0);
        const after = parts[at + 1].split('⟦')[0].trim();
        if (open && after) return `${name(block)} ${JSON.stringify(text)} ${after.slice(0, 60)}`;
      }
    }
    return '';
  };

  const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT;
  const walker = document.createTreeWalker(document.body, kinds);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (node.nodeType === Node.COMMENT_NODE) {
      if (/⟦|⟧|CDATA/.test(node.data)) wrong.add(`a comment of a text: ${node.data.slice(0, 80)}`);
      continue;
    }
    if (!parent || parent.closest('canvas, script, style, textarea')) continue;
    if (/[\u{1F600}-\u{1F64F}]/u.test(node.data)) wrong.add(`a face of a text: ${node.data}`);
    if (!/[⟦⟧]/.test(node.data)) continue;
    shown += (node.data.match(/⟦/g) || []).length;
    if (over(node, parent)) wrong.add(`over the edge: ${name(parent)} ${node.data.slice(0, 80)}`);
    const follows = turns(parent);
    if (follows) wrong.add(`turns what follows: ${follows}`);
  }
  const all = document.documentElement.scrollWidth;
  if (all > width + 1) wrong.add(`the page is wider than its window: ${all}`);
  return {wrong: [...wrong], shown};
}

import { findText } from '../find-text.ts';

/** Names of inline elements. */
const INLINE = new Set(['A', 'B', 'BDI', 'CODE', 'DEL', 'EM', 'I', 'INS', 'MARK', 'SMALL', 'SPAN', 'STRONG']);
/** Selects parts of the user interface, which are excluded from the search. */
const PAGE = 'button, input, textarea, .unseen, [aria-hidden="true"]';

/** Finds matches in the visible text of an element, as ranges. */
export function rangesOf(root: Element, wanted: string, most: number): readonly Range[] {
  const ranges: Range[] = [];
  for (const nodes of linesOf(root)) {
    if (ranges.length >= most) break;
    const pieces = nodes.map(({ data }) => data);
    for (const { from, to } of findText(pieces, wanted, most - ranges.length)) {
      const [first, last] = [nodes[from[0]], nodes[to[0]]];
      if (first === undefined || last === undefined) continue;
      const range = new Range();
      range.setStart(first, from[1]);
      range.setEnd(last, to[1]);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Groups text nodes by line. */
function linesOf(root: Element): readonly (readonly Text[])[] {
  const lines: Text[][] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const own = node.parentElement;
    if (!(node instanceof Text) || own === null || own.closest(PAGE) !== null) continue;
    const around = blockOf(own);
    if (around !== block || lines.length === 0) lines.push([]);
    block = around;
    lines.at(-1)?.push(node);
  }
  return lines;
}

function blockOf(element: Element): Element {
  let block = element;
  while (INLINE.has(block.tagName) && block.parentElement !== null) block = block.parentElement;
  return block;
}

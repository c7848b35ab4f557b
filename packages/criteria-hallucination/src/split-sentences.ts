import { hasLetters } from './letters.ts';

/**
 * Splits a text into sentences by rules: Unicode's sentence boundaries (`Intl.Segmenter`), and Markdown's structure.
 * Every list item, heading and line is separated from the text around it; a table is one sentence, and so is a code
 * block. Common abbreviations, initials, decimals and addresses do not end a sentence. Works for any script.
 *
 * @returns Pieces of the text, in order, which together make up the whole text. Each contains a letter or digit; a text
 *   without letters or digits has no sentences.
 */
export function splitSentences(text: string): string[] {
  const pieces = blocksOf(text).flatMap(({ prose, text: block }) => (prose ? proseSentences(block) : [block]));
  return withLetters(pieces);
}

interface Block {
  /** Whether sentences can end inside the block. */
  readonly prose: boolean;
  readonly text: string;
}

const LIST_ITEM = /^[\s>]*(?:[-*+•‣◦▪●○–—]|\d{1,9}[.)]|[a-z]\))\s/i;
const HEADING = /^[\s>]{0,8}#{1,6}\s/;
const FENCE = /^[\s>]*(`{3,}|~{3,})/;

/** Splits a text into blocks: code, tables, headings, list items, paragraphs. */
function blocksOf(text: string): Block[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const blocks: { prose: boolean; lines: string[] }[] = [];
  let fence: string | null = null;
  let inTable = false;
  const begin = (prose: boolean, line: string): void => void blocks.push({ prose, lines: [line] });
  const goOn = (line: string): void => {
    const last = blocks.at(-1);
    if (last === undefined) begin(true, line);
    else last.lines.push(line);
  };
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      goOn(line);
      if (mark?.startsWith(fence) && isOnly(line, fence[0] ?? '')) fence = null;
    } else if (mark !== undefined && hasFenceEnd(line, mark)) {
      begin(false, line);
      fence = mark;
      inTable = false;
    } else if (inTable && line.includes('|')) {
      goOn(line);
    } else if (line.includes('|') && isTableRule(lines[index + 1] ?? '')) {
      begin(false, line);
      inTable = true;
    } else {
      const previous = lines[index - 1] ?? '';
      const afterBlock = inTable || blocks.at(-1)?.prose === false || previous.trim() === '' || !hasLetters(previous);
      inTable = false;
      if (HEADING.test(line)) begin(false, line);
      else if (afterBlock || LIST_ITEM.test(line)) begin(true, line);
      else goOn(line);
    }
  }
  return blocks.map(({ prose, lines: of }) => ({ prose, text: of.join('') }));
}

/** Whether the line contains only the fence's character. */
function isOnly(line: string, character: string): boolean {
  return [...line.trim()].every((one) => one === character || one === '>');
}

/** Whether the fence ends on its own line, which makes it a code span. */
function hasFenceEnd(line: string, mark: string): boolean {
  return mark[0] === '~' || !line.slice(line.indexOf(mark) + mark.length).includes('`');
}

function isTableRule(line: string): boolean {
  return line.includes('-') && line.includes('|') && /^[\s|:>-]*$/.test(line);
}

const boundaries = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The number of characters that are read before and after a boundary. */
const LOOK_BACK = 40;

function proseSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { index } of boundaries.segment(text)) {
    const before = text.slice(Math.max(start, index - LOOK_BACK), index);
    if (index === start || !endsSentence(before, text.slice(index, index + LOOK_BACK))) continue;
    sentences.push(text.slice(start, index));
    start = index;
  }
  return [...sentences, text.slice(start)];
}

/** Abbreviations that never end a sentence. */
const TITLES = new Set(
  (
    'mr mrs ms dr drs prof st mt ft gen col sgt capt cpt lt cmdr rev hon pres gov sen rep messrs mme mlle sr sra srta dña ' +
    'hr fr frl dipl ing vs cf approx ca bzw ggf evtl inkl exkl zzgl vgl sog mind max min tel abs str resp env pág págs г гг ул им'
  ).split(' '),
);
/** Abbreviations that do not end a sentence before a number. */
const BEFORE_NUMBERS = new Set(
  (
    'no nos nr num fig figs eq eqs vol vols ch sec art p pp pg n° nº jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'okt dez mär ver v bd kap tab ziff'
  ).split(' '),
);
const LAST_WORD = /(?:^|[\s"'“‘«([>*_/-])([\p{L}\p{N}.°º]{1,12})\.$/u;
const GERMAN_DATE = /(?:^|\s)(?:am|vom|zum|bis|der|den|dem|ab|seit|im)\s\d{1,2}\.$/i;

/** Whether a sentence ends at one of Unicode's boundaries, judging by the text just before and after it. */
function endsSentence(before: string, after: string): boolean {
  const trimmed = before.trimEnd();
  // The mark is inside an address, a file name or a version: https://example.org/?a=b
  if (trimmed === before) return !/[.?!]$/.test(before) || !/^[\p{Ll}\p{N}/&=_%#-]/u.test(after);
  const brokenLine = /[\n\r\u0085\u2028\u2029]/.test(before.slice(trimmed.length));
  // The line was wrapped, and does not end here.
  if (brokenLine) return !(/[\p{L}\p{N},;–-]$/u.test(trimmed) && /^[\s>]*\p{Ll}/u.test(after));
  const word = LAST_WORD.exec(trimmed)?.[1];
  if (word === undefined) return true;
  // This is the number of a list item.
  if (/^[\s>]*\p{N}{1,9}\.$/u.test(trimmed)) return false;
  if (GERMAN_DATE.test(trimmed)) return false;
  const small = word.toLowerCase();
  if (TITLES.has(small)) return false;
  if (BEFORE_NUMBERS.has(small)) return !/^\p{N}/u.test(after);
  // These are initials, as in J. S. Bach. "I", however, is a word.
  if (/^\p{Lu}$/u.test(word) && word !== 'I') return false;
  if (/^\p{Ll}$/u.test(word) && /^\p{L}\./u.test(after)) return false;
  return !/^(?:e\.g|i\.e|z\.b|d\.h|u\.a|p\.ej|c\.-à-d|n\.b|т\.е|т\.д)$/.test(small);
}

/** Joins a piece without letters or digits to the piece before it, or to the first one that has any. */
function withLetters(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  let waiting = '';
  for (const piece of pieces) {
    if (hasLetters(piece)) {
      joined.push(waiting + piece);
      waiting = '';
    } else if (joined.length > 0) {
      joined.push((joined.pop() ?? '') + piece);
    } else {
      waiting += piece;
    }
  }
  return joined;
}

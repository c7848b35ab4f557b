/**
 * A path inside arguments: object keys, list indexes, and `each` for all items of a list or all values of an object.
 */
export type ValuePath = readonly (string | number | typeof each)[];

/** The step written `[*]`. */
export const each = Symbol('each');

/**
 * Parses a path: `date`, `filter.from`, `items[0].id`, `items[*].id`, `['odd.key']`, or `$` for the arguments as a
 * whole. A leading `$.` is allowed. Inside quotes, a backslash escapes the next character.
 *
 * @returns The path, or a description of the mistake.
 */
export function parseValuePath(text: string): { path: ValuePath } | { problem: string } {
  const path: (string | number | typeof each)[] = [];
  const rooted = text === '$' || text.startsWith('$.') || text.startsWith('$[');
  let at = rooted ? 1 : 0;
  // A key without quotes follows a dot, except at the start.
  let needsKey = !rooted && text[0] !== '[';
  while (at < text.length || needsKey) {
    if (needsKey) {
      const key = /^[^.[\]'"*\s]+/.exec(text.slice(at))?.[0];
      if (key === undefined) return { problem: `a key is missing at position ${at + 1}` };
      path.push(key);
      at += key.length;
      needsKey = false;
    } else if (text[at] === '.') {
      at++;
      needsKey = true;
    } else if (text[at] === '[') {
      const bracket = readBracket(text, at + 1);
      if (bracket === null)
        return { problem: `after "[" at position ${at + 1} comes a number, * or a quoted key, then "]"` };
      path.push(bracket.step);
      at = bracket.end;
    } else {
      return { problem: `unexpected ${JSON.stringify(text[at])} at position ${at + 1}; quote such keys: ['odd key']` };
    }
  }
  return { path };
}

/** Formats a path, as in `filter.from` or `items[0]['odd key']`. An empty path becomes `$`. */
export function formatValuePath(path: ValuePath): string {
  return path.length === 0 ? '$' : formatSteps(path).replace(/^\./, '');
}

/** Formats the steps of a path so that they can be appended to another path: `.filter.from`, `[0]`, `['odd key']`. */
export function formatSteps(path: ValuePath): string {
  return path
    .map((step) => {
      if (step === each) return '[*]';
      if (typeof step === 'number') return `[${step}]`;
      return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step) ? `.${step}` : `['${step.replace(/['\\]/g, '\\$&')}']`;
    })
    .join('');
}

function readBracket(text: string, start: number): { step: string | number | typeof each; end: number } | null {
  const plain = /^(?:\*|\d{1,15})\]/.exec(text.slice(start, start + 17))?.[0];
  if (plain !== undefined) {
    return { step: plain === '*]' ? each : Number(plain.slice(0, -1)), end: start + plain.length };
  }
  const quote = text[start];
  if (quote !== "'" && quote !== '"') return null;
  let key = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return text[at + 1] === ']' ? { step: key, end: at + 2 } : null;
    if (text[at] === '\\') at++;
    key += text[at] ?? '';
  }
  return null;
}

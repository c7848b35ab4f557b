import { didYouMean } from '@agent-criteria/core';

/** A template, taken apart: texts as they are, and names of what stands there. */
export interface Template {
  readonly pieces: readonly (string | { readonly name: string })[];
  /** All names that it uses. */
  readonly names: ReadonlySet<string>;
  /** What it cannot be used for, a sentence each. */
  readonly problems: readonly string[];
}

/** Whoever mends these finds the others then. */
const MOST_PROBLEMS = 5;

const CLOSING: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/**
 * Reads the part of Jinja that can be substituted: names between `{{` and `}}`, comments between `{#` and `#}`. Nothing is
 * ever executed: statements, filters and expressions are problems. Linear in the text.
 *
 * @param known The names that there is a text for.
 */
export function parseTemplate(text: string, known: readonly string[]): Template {
  const pieces: (string | { readonly name: string })[] = [];
  const names = new Set<string>();
  const problems: string[] = [];
  const opening = /\{[{%#]/g;
  let from = 0;
  while (problems.length < MOST_PROBLEMS) {
    opening.lastIndex = from;
    const found = opening.exec(text);
    if (found === null) break;
    const [mark] = found;
    const closing = CLOSING[mark] ?? '';
    const end = text.indexOf(closing, found.index + 2);
    const line = () => `line ${text.slice(0, found.index).split('\n').length}`;
    if (end === -1) {
      problems.push(`${line()}: "${mark}" is never closed by "${closing}": close it, or take it out`);
      break;
    }
    pieces.push(text.slice(from, found.index));
    const inner = text.slice(found.index + 2, end).trim();
    from = end + 2;
    if (mark === '{#') continue;
    const problem = mark === '{%' ? statement(inner) : wrongName(inner, known);
    if (problem !== null) problems.push(`${line()}: ${problem}`);
    else pieces.push({ name: inner });
    if (mark === '{{') names.add(inner);
  }
  pieces.push(text.slice(from));
  return { pieces, names, problems };
}

/** The template with these texts in it, which are not looked at again. */
export function renderTemplate({ pieces }: Template, values: Readonly<Record<string, string>>): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : Object.hasOwn(values, piece.name) ? values[piece.name] : ''))
    .join('');
}

function statement(inner: string): string {
  return `templates are filled in, never executed, so that {% ${shown(inner)} %} cannot be: write what is to stand there`;
}

function wrongName(inner: string, known: readonly string[]): string | null {
  if (known.includes(inner)) return null;
  const list = known.map((name) => `{{ ${name} }}`).join(', ');
  if (/^\w{1,100}$/.test(inner)) {
    return `there is no {{ ${inner} }}${didYouMean(inner, known)} (there is ${list})`;
  }
  return `{{ ${shown(inner)} }} is more than a name, and templates are filled in, never executed: write one of ${list}`;
}

function shown(inner: string): string {
  const line = inner.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

import { didYouMean } from '@agent-criteria/core';

/** A parsed template: literal texts, and names of placeholders. */
export interface Template {
  readonly pieces: readonly (string | { readonly name: string })[];
  /** The names of its placeholders. */
  readonly names: ReadonlySet<string>;
  /** The reasons why it cannot be used. */
  readonly problems: readonly string[];
}

/** The maximum number of reported problems. */
const MOST_PROBLEMS = 5;

const CLOSING: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/**
 * Parses the subset of Jinja that is plain substitution: names between `{{` and `}}`, and comments between `{#` and
 * `#}`. Nothing is ever executed: statements, filters and expressions are reported as problems. Takes linear time.
 *
 * @param known The names that can be filled in.
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
      problems.push(`${line()}: "${mark}" is never closed by "${closing}": close it, or remove it`);
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

/** Fills in the template. The values are inserted unchanged, and not parsed. */
export function renderTemplate({ pieces }: Template, values: Readonly<Record<string, string>>): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : Object.hasOwn(values, piece.name) ? values[piece.name] : ''))
    .join('');
}

function statement(inner: string): string {
  return `templates are filled in, never executed, so {% ${shown(inner)} %} cannot be used: write the resulting text instead`;
}

function wrongName(inner: string, known: readonly string[]): string | null {
  if (known.includes(inner)) return null;
  const list = known.map((name) => `{{ ${name} }}`).join(', ');
  if (/^\w{1,100}$/.test(inner)) {
    return `unknown placeholder {{ ${inner} }}${didYouMean(inner, known)} (known: ${list})`;
  }
  return `{{ ${shown(inner)} }} is an expression, and templates are filled in, never executed: use one of ${list}`;
}

function shown(inner: string): string {
  const line = inner.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type CommandLine, type CorpusEntry, isScript } from './command.ts';
import { look, runsIn } from './folder.ts';
import { normaliser, type Place } from './normalise.ts';
import { pretty } from './pretty.ts';

/** The result of a command. */
export interface Ended {
  readonly line: CommandLine;
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Where extends Place {
  /** A hash of each file before the commands, by path. */
  readonly before: ReadonlyMap<string, string>;
}

/** Formats everything that commands did, as text that does not depend on where and when they run. */
export function snapshot(entry: CorpusEntry, ended: readonly Ended[], where: Where): string {
  const { folder, before } = where;
  const runs = runsIn(folder);
  const normalise = normaliser({ ...where, runs });
  const after = look(folder);
  const written = [...after].flatMap(([path, hash]) => {
    const earlier = before.get(path);
    return earlier === hash ? [] : [{ path, mark: earlier === undefined ? '+' : '~' }];
  });
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => ({ path, mark: '-' }));
  const files = [...written, ...gone]
    .map(({ path, mark }) => ({ path, mark, shown: normalise(path) }))
    .sort((a, b) => (a.shown < b.shown ? -1 : 1));
  const contents = entry.content === false ? [] : files.filter(({ mark }) => mark !== '-');
  const told = [
    ...setupText(entry),
    ...ended
      .map((one) => ({ ...one, err: withoutProgress(one.err) }))
      .flatMap(({ line, code, out, err }) => [
        `$ ${isScript(line) ? '' : 'agent-criteria '}${typeof line === 'string' ? line : line.map((arg) => JSON.stringify(arg)).join(' ')}`,
        `exit code ${code}`,
        ...(out === '' ? [] : ['--- standard output', trimEnd(out)]),
        ...(err === '' ? [] : ['--- standard error', trimEnd(err)]),
        '',
      ]),
    ...(files.length === 0 ? [] : ['--- files', ...files.map(({ path, mark }) => `${mark} ${path}`), '']),
  ];
  const parts = [
    normalise(told.join('\n')),
    ...contents.map(({ path, shown }) => {
      // Pages have their own ids, whose numbers mean nothing elsewhere.
      const own = extname(path) === '.html' ? normaliser({ ...where, runs }) : normalise;
      return `--- ${shown}\n${trimEnd(contentOf(path, folder, own))}\n`;
    }),
  ];
  return `${parts.join('\n').trimEnd()}\n`;
}

function setupText({
  copies = [],
  packages = [],
  before = [],
  files = {},
  environment,
  server,
}: CorpusEntry): string[] {
  const changed = Object.entries(files).map(
    ([path, content]) => `${content === null ? 'removed' : 'written'}: ${path}`,
  );
  const lines = [
    ...copies.map((path) => `copied: ${path}`),
    ...(packages.length === 0 ? [] : [`installed: ${packages.join(', ')}`]),
    ...before.map((line) => `before: agent-criteria ${typeof line === 'string' ? line : line.join(' ')}`),
    ...changed,
    ...(environment === undefined ? [] : [`environment: ${Object.keys(environment).join(', ')}`]),
    ...(server === undefined ? [] : [`server: ${server}`]),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

function contentOf(path: string, folder: string, normalise: (text: string) => string): string {
  const text = readFileSync(join(folder, path), 'utf8');
  const name = basename(path);
  if (extname(name) === '.html') return normalise(`<data with the hash ${hashOf(normalise(dataOf(text)))}>`);
  if (name === 'texts.jsonl') return normalise(textsOf(text));
  // The name is the hash of the content.
  if (basename(dirname(path)) === 'blobs') return `<${text.length} characters>`;
  if (isOfRun(path) && extname(name) === '.jsonl') return linesOf(text, normalise);
  if (isOfRun(path) && extname(name) === '.json') return prettyOf(JSON.parse(text), normalise);
  return normalise(text);
}

function isOfRun(path: string): boolean {
  return /(^|\/)\d{8}-\d{6}-\w{4}\//.test(path);
}

/** Extracts the JSON data from a page; the rest of it is a program. */
function dataOf(page: string): string {
  const blocks = page.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs);
  return [...blocks]
    .filter(([, id = '']) => !id.includes('licence'))
    .map(([, , json]) => json)
    .join('\n');
}

/**
 * Summarises prompts and answers of judges: the hash shows whether a text has changed, and its beginning shows which
 * text it is.
 */
function textsOf(lines: string): string {
  const texts = lines
    .trimEnd()
    .split('\n')
    .map((line): { readonly hash: string; readonly text: string } => JSON.parse(line));
  return texts
    .map(({ hash, text }) => `${hash} ${text.length} ${JSON.stringify(text.slice(0, 60))}`)
    .sort()
    .join('\n');
}

/** Sorts lines in the order in which readers see them: by unit, then by attempt, and calls by caller. */
function linesOf(text: string, normalise: (text: string) => string): string {
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return lines
    .map((line) => ({ line, key: keyOf(line) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ line }) => prettyOf(line, normalise))
    .join('\n');
}

/** Formats after normalising, because numbers of a different length would change the layout. */
function prettyOf(value: unknown, normalise: (text: string) => string): string {
  return pretty(JSON.parse(normalise(JSON.stringify(value))));
}

interface Line {
  readonly setId?: string;
  readonly caseId?: string;
  readonly repeat?: number;
  readonly attempt?: number;
  readonly key?: Pick<Line, 'setId' | 'caseId' | 'repeat'>;
  readonly by?: string;
  readonly caller?: string;
  readonly turn?: number | null;
  readonly sample?: number;
}

function keyOf(line: Line): string {
  const { setId, caseId, repeat } = line.key ?? line;
  const number = (value: number | null | undefined) => String(value ?? '').padStart(4, '0');
  const { by, caller = by ?? '', turn, sample, attempt } = line;
  return [setId, caseId, number(repeat), number(attempt), caller, number(turn), number(sample)].join('\u0000');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Removes progress messages, which a run prints only if it takes long, as on a busy machine. */
function withoutProgress(text: string): string {
  return text.replaceAll(/^\d+ of \d+ (?:case|inference)s? done.*\n/gm, '');
}

function trimEnd(text: string): string {
  return text.replace(/\n+$/, '');
}

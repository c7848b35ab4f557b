import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Row } from './rows.ts';

/** The answer of a port to one question. */
export type Answer =
  | { readonly output: unknown }
  /** The port refuses the input, as ADK may. */
  | { readonly error: string }
  /** The port does not implement this kind. */
  | { readonly unsupported: true };

export interface AskPortOptions {
  /** The command that starts the port, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** How long to wait for the next answer, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined;
}

/** The answers of a port by the ids of rows, and what went wrong apart from them. */
export interface PortAnswers {
  readonly answers: ReadonlyMap<string, Answer>;
  /** Lines that are no answers, and how the port ended if it ended early. */
  readonly problems: readonly string[];
}

/** The number of bad lines that are reported. */
const MOST_PROBLEMS = 20;

/**
 * Starts a port and sends it each row as a line of JSON in ASCII on its standard input: `{"id", "kind", "input"}`. Reads a line
 * of JSON for each from its standard output, in any order: `{"id", "output"}`, `{"id", "error"}` or
 * `{"id", "unsupported": true}`. Its standard error goes to that of this process. Ends the port when all rows are
 * answered, or when it gives no answer in time.
 */
export async function askPort(rows: readonly Row[], options: AskPortOptions): Promise<PortAnswers> {
  const { command, timeout = 60_000 } = options;
  const [file, ...args] = command;
  const answers = new Map<string, Answer>();
  const problems: string[] = [];
  const note = (problem: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem);
  };
  const wanted = new Set(rows.map(({ id }) => id));
  const port = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<string>((settle) => {
    port.once('error', (error) => settle(`it could not be started: ${error.message}`));
    port.once('exit', (code, signal) =>
      settle(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`),
    );
  });
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      note(`it gave no answer for ${timeout / 1000} seconds`);
      port.kill('SIGKILL');
    }, timeout);
  };
  wait();
  // A port that ends early closes its input. The rows without an answer say so.
  port.stdin.on('error', () => undefined);
  const asking = (async () => {
    for (const { id, kind, input } of rows) {
      if (port.stdin.destroyed || port.exitCode !== null) return;
      const isRoomy = port.stdin.write(`${lineOf({ id, kind, input })}\n`);
      if (!isRoomy) await Promise.race([once(port.stdin, 'drain'), ended]);
    }
    port.stdin.end();
  })().catch(() => undefined);
  for await (const line of linesOf(port.stdout)) {
    if (line.trim() === '') continue;
    const read = readAnswer(line);
    if (read === null) note(`it wrote a line that is no answer: ${line.slice(0, 200)}`);
    else if (!wanted.has(read.id)) note(`it answered "${read.id}", which was not asked`);
    else if (answers.has(read.id)) note(`it answered "${read.id}" twice`);
    else {
      answers.set(read.id, read.answer);
      wait();
    }
    if (answers.size === rows.length) break;
  }
  clearTimeout(timer);
  if (answers.size === rows.length) {
    port.stdin.end();
    port.kill();
  }
  const how = await ended;
  await asking;
  if (answers.size < rows.length) note(how);
  return { answers, problems };
}

/** Writes JSON in ASCII, because readers of lines in some languages also end them at other characters, such as U+2028. */
function lineOf(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Reads lines that end with a line feed, and with nothing else. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function readAnswer(line: string): { readonly id: string; readonly answer: Answer } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { id, output, error, unsupported } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string') return null;
  if (unsupported === true) return { id, answer: { unsupported } };
  if (typeof error === 'string') return { id, answer: { error } };
  return Object.hasOwn(value, 'output') ? { id, answer: { output } } : null;
}

import type { SecretMask } from '@agent-criteria/masking';
import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import type { ApiError, ImportLine, ImportProgress } from '../api.ts';
import { asRefusal } from '../http/answer-error.ts';

/** Milliseconds between two lines of progress. */
const INTERVAL = 100;

/**
 * Answers with JSON Lines: the progress of a piece of work, and then its result or why it failed. When the page gives up the
 * request, the signal of the work is aborted.
 */
export function withProgress<Value extends object>(
  c: Context,
  mask: SecretMask,
  work: (report: (progress: ImportProgress) => void, signal: AbortSignal) => Promise<Value>,
): Response {
  c.header('Content-Type', 'application/jsonl; charset=utf-8');
  return stream(c, async (out) => {
    const end = new AbortController();
    out.onAbort(() => end.abort());
    const write = (line: ImportLine<Value>) => out.writeln(JSON.stringify(line));
    let shownAt = 0;
    const report = (progress: ImportProgress): void => {
      const now = Date.now();
      if (now - shownAt < INTERVAL) return;
      shownAt = now;
      // A page that reads slowly gets the next one later.
      void write({ progress });
    };
    let last: ImportLine<Value>;
    try {
      last = { done: mask.json(await work(report, end.signal)) };
    } catch (error) {
      if (out.aborted) return;
      last = { failed: await textOf(error, mask) };
    }
    await write(last);
  });
}

async function textOf(error: unknown, mask: SecretMask): Promise<string> {
  const { res, message } = asRefusal(error);
  const { detail } = res === undefined ? { detail: message } : ((await res.json()) as ApiError);
  return mask.text(typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('\n'));
}

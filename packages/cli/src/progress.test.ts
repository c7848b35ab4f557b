import type { CaseResult, Verdict } from '@agent-criteria/core/host';
import type { RunEvent } from '@agent-criteria/runner';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Io } from './io.ts';
import { type ProgressOptions, showProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

type Event = RunEvent extends infer Each ? (Each extends RunEvent ? Omit<Each, 'at'> : never) : never;

function shown(options: Partial<ProgressOptions> = {}, columns: number | null = 120) {
  const lines: string[] = [];
  const io: Io = {
    out: () => expect.unreachable(),
    raw: () => expect.unreachable(),
    width: { out: Number.POSITIVE_INFINITY, err: Number.POSITIVE_INFINITY },
    err: (text) => void lines.push(text),
    color: false,
    live: columns === null ? null : { columns: () => columns, draw: (text) => void lines.push(text) },
    environment: {},
    signal: new AbortController().signal,
    drain: () => new AbortController().signal,
  };
  const progress = showProgress(io, { total: 3, counted: 'cases', quiet: false, isStopped: () => false, ...options });
  const tell = (event: Event) => progress.watch({ at: Date.now(), ...event } as RunEvent);
  return { lines, progress, tell };
}

const key = (caseId: string, repeat = 0) => ({ setId: 's', caseId, repeat });
const ended = { by: 'turns' } as never;
const finished = (caseId: string, verdict: Verdict): Event => ({
  type: 'case-finished',
  result: { setId: 's', caseId, verdict, criteria: [], units: [] } as unknown as CaseResult,
});

describe('calls that wait', () => {
  it('are shown by model, with the reason, until they continue', () => {
    const { lines, progress } = shown({}, 240);
    const text = () => {
      vi.advanceTimersByTime(100);
      return lines.at(-1)?.replace(/^[█░]+ /, '');
    };
    const again = { type: 'retrying', target: 'gemini-2.5-flash', attempt: 2, of: 5, reason: 'it failed' } as const;
    progress.watchCalls({ ...again, wait: 5000, kind: 'rate-limit' });
    progress.watchCalls({ type: 'throttled', target: 'gemini-2.5-flash', concurrency: 4, of: 16 });
    progress.watchCalls({ ...again, wait: 500, kind: 'network' });
    progress.watchCalls({ type: 'waiting', target: 'ollama/qwen3', wait: 1000, for: 'requests-per-minute' });
    expect(text()).toBe(
      '0 of 3 cases done; waiting for gemini-2.5-flash, which has reached its rate limit (now at most 4 calls at once); waiting for ollama/qwen3, which has reached its request limit for this minute',
    );
    vi.advanceTimersByTime(5000);
    expect(text()).toBe('0 of 3 cases done; gemini-2.5-flash gets at most 4 calls at once for now');
    progress.watchCalls({ type: 'recovered', target: 'gemini-2.5-flash', concurrency: 16, of: 16 });
    expect(text()).toBe('0 of 3 cases done');
    const spent = { calls: 1, inputTokens: 0, outputTokens: 0, cost: 0, callsWithoutPrice: 0 };
    progress.watchCalls({ type: 'budget-spent', spent });
    expect(text()).toBe('0 of 3 cases done, the budget is spent');
    progress.end();
  });
});

describe('progress on a terminal', () => {
  it('shows how many cases are done, what did not pass, and which case has run the longest', () => {
    const { lines, tell, progress } = shown({ total: 7 }, 200);
    tell({ type: 'run-started', folder: null, units: 7, repeats: 1 });
    tell({ type: 'case-known', setId: 's', caseId: 'before', verdict: 'passed' });
    for (const [id, verdict] of [
      ['a', 'failed'],
      ['b', 'error'],
      ['c', 'not-evaluated'],
      ['d', 'passed'],
    ] as const) {
      tell({ type: 'unit-started', key: key(id) });
      tell({ type: 'unit-inferred', key: key(id), ending: ended, startedAt: 0 });
      tell({ type: 'unit-scored', key: key(id), startedAt: 0 });
      tell(finished(id, verdict));
    }
    tell({ type: 'unit-started', key: key('slow') });
    vi.advanceTimersByTime(34_000);
    tell({ type: 'unit-started', key: key('late', 1) });
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)).toBe(
      '████████░░░░ 5 of 7 cases done, 1 failed, 1 error, 1 not evaluated; 2 running; 34 s so far, the last 2 are running; the oldest for 34 s: slow',
    );
    tell({ type: 'unit-inferred', key: key('slow'), ending: ended, startedAt: 0 });
    vi.advanceTimersByTime(100_000);
    expect(lines.at(-1)).toContain('the oldest for 2 min, being judged: slow');
    tell({
      type: 'unit-inferred',
      key: key('slow'),
      ending: { by: 'error', error: { code: 'AGENT_FAILED', message: '' } } as never,
      startedAt: 0,
    });
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)).toContain('; the oldest for 100 s: late (repeat 2)');
    progress.end();
    expect(lines.at(-1)).toBe('');
  });

  it('shows the units that wait, and the time and cost so far and to go', () => {
    let isStopped = false;
    const { lines, tell, progress } = shown({ total: 4, isStopped: () => isStopped }, 200);
    tell({ type: 'run-started', folder: null, units: 8, repeats: 2 });
    for (const repeat of [0, 1]) {
      tell({ type: 'unit-started', key: key('a', repeat) });
      tell({ type: 'unit-inferred', key: key('a', repeat), ending: ended, startedAt: 0, cost: 0.25 });
      tell({ type: 'call-finished', call: { cost: 0.5 } as never });
      tell({ type: 'unit-scored', key: key('a', repeat), startedAt: 0 });
    }
    tell(finished('a', 'passed'));
    tell({ type: 'unit-started', key: key('b') });
    vi.advanceTimersByTime(10_000);
    expect(lines.at(-1)).toBe(
      '███░░░░░░░░░ 1 of 4 cases done; 1 running, 5 waiting; 10 s so far, about 30 s to go, cost 1.5 so far, about 6 in the end; the oldest for 10 s: b',
    );
    isStopped = true;
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)).not.toContain('to go');
    progress.end();
  });

  it('distinguishes the variants of a case', () => {
    const { lines, tell, progress } = shown({ total: 2 });
    const of = (variant: string) => ({ ...key('a', 1), variant });
    tell({ type: 'unit-started', key: of('fast') });
    tell({ type: 'unit-started', key: of('slow') });
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)).toContain('2 running; the oldest for 0 s: a (fast, repeat 2)');
    tell({ type: 'unit-scored', key: of('fast'), startedAt: 0 });
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)).toContain('1 running; the oldest for 0 s: a (slow, repeat 2)');
    progress.end();
  });

  it('is drawn at most ten times a second, and never after the end', () => {
    const { lines, tell, progress } = shown();
    for (let step = 0; step < 1000; step++) {
      tell({ type: 'unit-started', key: key(String(step)) });
      vi.advanceTimersByTime(1);
    }
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.length).toBeGreaterThan(5);
    progress.end();
    const told = lines.length;
    vi.advanceTimersByTime(5000);
    expect(lines).toHaveLength(told);
  });

  it('stays on one line, whatever the name of a case', () => {
    const { lines, tell, progress } = shown({}, 40);
    tell({ type: 'unit-started', key: key(`two\nlines \u001b[2J ${'long '.repeat(50)}`) });
    vi.advanceTimersByTime(100);
    expect(lines.at(-1)?.length).toBeLessThan(40);
    for (const control of ['\n', '\u001b']) expect(lines.at(-1)).not.toContain(control);
    progress.end();
  });
});

describe('progress without a terminal', () => {
  it('prints a line every ten seconds', () => {
    const { lines, tell, progress } = shown({ total: 1, counted: 'inferences' }, null);
    tell({ type: 'unit-started', key: key('a') });
    vi.advanceTimersByTime(9_900);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(10_200);
    expect(lines).toEqual([
      '0 of 1 inference done; 1 running; the oldest for 10 s: a\n',
      '0 of 1 inference done; 1 running; the oldest for 20 s: a\n',
    ]);
    tell({
      type: 'unit-inferred',
      key: key('a'),
      ending: { by: 'error', error: { code: 'TIMEOUT', message: '' } } as never,
      startedAt: 0,
    });
    progress.end();
    expect(lines).toHaveLength(2);
  });

  it('prints nothing in quiet mode', () => {
    const { lines, tell, progress } = shown({ quiet: true });
    tell({ type: 'unit-started', key: key('a') });
    vi.advanceTimersByTime(60_000);
    progress.end();
    expect(lines).toEqual([]);
  });
});

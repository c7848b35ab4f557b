import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answer, ask, caller, modelOf, signal } from './__fixtures__/calls.ts';
import { openCache } from './cache.ts';
import { modelCall } from './policy-call.ts';
import { openRecording } from './recording.ts';
import { storedAnswers } from './stored-answers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const call = () =>
  modelCall(
    modelOf(async () => answer()),
    ask('hi'),
    caller(),
  );

it('storedAnswers() makes every call without a recording and a cache', async () => {
  const kept = storedAnswers({ recording: null, cache: null, mask: null });
  const { send, ...asked } = call();
  const attempt = vi.fn(send);
  await Promise.all([1, 2].map(() => kept.ask(asked, attempt, signal())));
  expect(attempt).toHaveBeenCalledTimes(2);
});

it('storedAnswers() records cached answers, and prefers recorded ones', async () => {
  const cache = openCache(folder);
  const file = join(folder, 'recording.jsonl');
  const made = call();
  await storedAnswers({ recording: null, cache, mask: null }).ask(made, made.send, signal());
  const never = vi.fn(made.send);
  const from: string[] = [];
  for (let run = 0; run < 2; run++) {
    const recording = await openRecording({ file, mode: 'auto' });
    from.push((await storedAnswers({ recording, cache, mask: null }).ask(made, never, signal())).from);
    await recording.close();
  }
  expect(from).toEqual(['cache', 'recording']);
  expect(never).not.toHaveBeenCalled();
});

it('storedAnswers() keeps the answers of a service and another endpoint apart', async () => {
  const kept = storedAnswers({ recording: null, cache: openCache(folder), mask: null });
  const made = call();
  const endpoints = [undefined, 'http://127.0.0.1:8080', undefined];
  const from = [];
  for (const endpoint of endpoints) from.push((await kept.ask({ ...made, endpoint }, made.send, signal())).from);
  expect(from).toEqual(['live', 'live', 'cache']);
});

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { From, Json, LanguageModel, Problem } from '@agent-criteria/core';
import { type Answers, type BareAnswer, modelAnswers } from './answers.ts';
import type { Attempt } from './attempt.ts';
import { callKey } from './call-key.ts';
import { requestOf } from './request.ts';
import { singleFlight } from './single-flight.ts';
import { wrapModel } from './wrap-model.ts';

/** Where a project keeps answers when nothing else is said, from the working folder. */
export const CACHE_FOLDER = join('.agent-criteria', 'cache');

const FORMAT = 1;

/** Answers by the keys of their calls, in a folder of small files. */
export interface Cache {
  readonly folder: string;
  /** `null`: there is none, or it is damaged. */
  get(key: string): Promise<Json | null>;
  /** Never rejects: a cache that cannot be written keeps nothing, and `warnings` says so. */
  set(key: string, to: string, answer: Json): Promise<void>;
  warnings(): readonly Problem[];
}

/** Makes nothing before the first answer is kept. Any number of processes may share a folder. */
export function openCache(folder: string = CACHE_FOLDER): Cache {
  const problems: Problem[] = [];
  let prepared: Promise<void> | null = null;
  const fileOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`);

  /** A folder that was there belongs to somebody: its mode and its files stay as they are. */
  async function prepare(): Promise<void> {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await writeFile(join(folder, '.gitignore'), '*\n', { mode: 0o600 });
  }

  return {
    folder,
    async get(key) {
      try {
        const kept: unknown = JSON.parse(await readFile(fileOf(key), 'utf8'));
        return isKept(kept) && kept.key === key ? kept.answer : null;
      } catch {
        return null;
      }
    },
    async set(key, to, answer) {
      // One failure is enough: a full disk stays full for a while.
      if (problems.length > 0) return;
      const file = fileOf(key);
      const draft = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        prepared ??= prepare();
        await prepared;
        await mkdir(join(folder, key.slice(0, 2)), { recursive: true, mode: 0o700 });
        const text = `${JSON.stringify({ format: FORMAT, key, to, answer })}\n`;
        await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        if (problems.length > 0) return;
        const message = `answers are not kept, as the cache cannot be written: ${(error as Error).message}`;
        problems.push({ code: 'WRITE_FAILED', file: folder, message });
      }
    },
    warnings: () => [...problems],
  };
}

function isKept(value: unknown): value is { readonly key: string; readonly answer: Json } {
  return (
    typeof value === 'object' && value !== null && 'answer' in value && 'format' in value && value.format === FORMAT
  );
}

/** What is kept for the key, else what the attempt gives, which is kept if it is whole. */
export async function cached<T>(
  { cache, key, to, answers }: { cache: Cache; key: string; to: string; answers: Answers<T> },
  attempt: Attempt<Given<T>>,
  signal: AbortSignal,
): Promise<Given<T>> {
  const kept = await cache.get(key);
  const answer = kept === null ? null : answers.unpack(kept);
  if (answer !== null) return { answer, from: 'cache' };
  signal.throwIfAborted();
  const given = await attempt(signal);
  if (answers.isWhole(given.answer)) await cache.set(key, to, answers.pack(given.answer));
  return given;
}

/** An answer and where it came from. */
export interface Given<T> {
  readonly answer: T;
  readonly from: From;
}

/**
 * The same model; an answer that was whole (finish `stop`) is never asked for again, also by other runs. Identical requests at the
 * same time make one call.
 *
 * @param repeat Repeats have answers of their own, so that they stay independent. Default 0.
 */
export function withCache(model: LanguageModel, cache: Cache, { repeat = 0 }: { repeat?: number } = {}): LanguageModel {
  const flights = singleFlight<Given<BareAnswer>>();
  return wrapModel(model, async (request, signal) => {
    const key = callKey({ kind: 'model', to: model.id, repeat, ...requestOf(model, request) });
    const kept = { cache, key, to: model.id, answers: modelAnswers };
    const ask = async (own: AbortSignal): Promise<Given<BareAnswer>> => {
      const answer = await model.generate(request, own);
      return { answer, from: answer.from };
    };
    const { answer: given, joined } = await flights.run(key, (own) => cached(kept, ask, own), signal);
    return { ...given.answer, from: joined && given.from === 'live' ? 'cache' : given.from };
  });
}

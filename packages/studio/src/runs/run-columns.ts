import { sha256 } from '@agent-criteria/calls';
import { contentText } from '@agent-criteria/core';
import type { RunCase } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import type { MatrixCase, MatrixCriterion, RunColumns } from '../api.ts';
import { createRunCache } from './cache.ts';

/** Limit in cases, some tens of MB. */
const MOST = 200_000;
const LONGEST_ANSWER = 400;

export type ReadColumns = ReturnType<typeof createRunColumns>;

/** Creates a cache of the columns that runs have in a matrix. */
export function createRunColumns() {
  const kept = createRunCache<RunColumns>(MOST, ({ cases }) => cases.length + 1);
  return {
    read: (folder: string, id: string, withAnswers: boolean) =>
      kept.read(folder, withAnswers ? 'answers' : 'verdicts', () => readColumns(openRun(folder), id, withAnswers)),
  };
}

/** The fields of a case with and without its conversations. */
interface JudgedCase extends Pick<RunCase, 'setId' | 'variant' | 'evalCase'> {
  readonly result: Pick<RunCase['result'], 'verdict' | 'units'> & {
    readonly criteria: readonly Pick<RunCase['result']['criteria'][number], 'name' | 'verdict' | 'score'>[];
  };
}

async function readColumns(run: OpenedRun, id: string, withAnswers: boolean): Promise<RunColumns> {
  const { info, sets } = run;
  const variants = info.variants?.map(({ name }) => name) ?? [];
  const criteria = new Map<string, MatrixCriterion>();
  for (const set of sets) {
    for (const { name, threshold, range } of set.criteria) {
      if (!criteria.has(name)) criteria.set(name, { name, threshold, range });
    }
  }
  const names = [...criteria.keys()];
  const places = new Map(sets.map(({ id: setId }, place) => [setId, place]));
  const cases: MatrixCase[] = [];
  const rowOf = ({ setId, variant, evalCase, result }: JudgedCase): MatrixCase => {
    const of = new Map(result.criteria.map((one) => [one.name, one]));
    return {
      set: places.get(setId) ?? 0,
      id: evalCase.evalId,
      ...(variant !== undefined && { variant: variants.indexOf(variant) }),
      verdict: result.verdict,
      passed: result.units.filter((unit) => unit.verdict === 'passed').length,
      of: result.units.length,
      scores: names.map((name) => {
        const one = of.get(name);
        return one === undefined ? null : ([one.verdict, one.score] as const);
      }),
    };
  };
  // Answers are in other files than results, and need not be read for a matrix of verdicts.
  if (withAnswers) for await (const one of run.cases()) cases.push({ ...rowOf(one), ...answersOf(one) });
  else for await (const one of run.heads()) cases.push(rowOf(one));
  return {
    run: id,
    startedAt: info.startedAt,
    agent: info.agent,
    variants,
    sets: sets.map((set) => set.id),
    criteria: [...criteria.values()],
    cases,
  };
}

function answersOf({ inferences }: RunCase): Pick<MatrixCase, 'answer' | 'answers'> {
  const all = inferences.map(({ inference }) =>
    inference.invocations.map(({ finalResponse }) => contentText(finalResponse).trim()),
  );
  const last = all.map((texts) => texts.at(-1) ?? '').find((text) => text !== '');
  // Repeats of an agent give the same answers in any order.
  const key = sha256(JSON.stringify(all.map((texts) => JSON.stringify(texts)).sort())).slice(0, 12);
  return { answers: key, ...(last !== undefined && { answer: cut(last) }) };
}

function cut(text: string): string {
  if (text.length <= LONGEST_ANSWER) return text;
  return `${text.slice(0, LONGEST_ANSWER).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

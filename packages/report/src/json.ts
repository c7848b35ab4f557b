import type { Problem, RunRecord, RunSet } from '@agent-criteria/core';
import { indentedJson } from './json-text.ts';
import { isFinished } from './run-notes.ts';

/**
 * The whole run as one JSON document, written piece by piece:
 * `{ finished, run, summary, warnings, sets: [{ setId, …, cases: [...], inferences: [...] }] }`. A case is its result
 * with the `evalCase` it was run from and the `calls` that were made for it.
 */
export async function* jsonReport(run: RunRecord): AsyncGenerator<string> {
  const { info, summary, warnings } = run;
  const head = { finished: isFinished(info), run: info, summary, warnings };
  yield `${openObject(head, 0)}  "sets": [`;
  let separator = '';
  for (const set of run.sets) {
    yield `${separator}\n    ${openObject(describeSet(run, set), 4)}      "cases": [`;
    yield* items(casesOf(run, set));
    yield '],\n      "inferences": [';
    yield* items(inferencesOf(run, set));
    yield ']\n    }';
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}]\n}\n`;
}

/** An object of these fields that is left open for more. */
function openObject(fields: object, margin: number): string {
  return `${indentedJson(fields, margin).slice(0, -`\n${' '.repeat(margin)}}`.length)},\n`;
}

function describeSet(run: RunRecord, { id, name, description, file, configFile, criteria, summary }: RunSet) {
  return {
    setId: id,
    name,
    description,
    file,
    config: configFile,
    compat: run.info.compat,
    criteria,
    warnings: warningsOf(run, file, configFile),
    summary,
  };
}

/** The warnings that name a file of the set; all of them where there is no other set. */
function warningsOf(run: RunRecord, file: string | null, configFile: string | null): readonly Problem[] {
  if (run.sets.length === 1) return run.warnings;
  return run.warnings.filter((warning) => warning.file !== undefined && [file, configFile].includes(warning.file));
}

async function* casesOf(run: RunRecord, set: RunSet): AsyncGenerator<unknown> {
  for await (const { result, evalCase, calls } of run.cases(set.id)) yield { ...result, evalCase, calls };
}

async function* inferencesOf(run: RunRecord, set: RunSet): AsyncGenerator<unknown> {
  for await (const { inferences } of run.cases(set.id)) yield* inferences;
}

/** The items of a list on the fourth level, one a chunk. */
async function* items(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '';
  for await (const value of values) {
    yield `${separator}\n        ${indentedJson(value, 8)}`;
    separator = ',';
  }
  if (separator !== '') yield '\n      ';
}

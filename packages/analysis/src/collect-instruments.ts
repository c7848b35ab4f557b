import type { Evidence, Score } from '@agent-criteria/core';
import { type RunCase, readOpinions } from '@agent-criteria/results';
import type { CriterionFacts, Instrument } from './instrument.ts';

interface Answered {
  readonly prompts: Set<string>;
  readonly models: Set<string>;
}

/** Collects the instruments of criteria from cases that are being read anyway. */
export function collectInstruments() {
  const answered = new Map<string, Answered>();
  return {
    add({ result }: Pick<RunCase, 'result'>): void {
      for (const { name, turns } of result.criteria) for (const { score } of turns) note(name, score, answered);
    },
    /** Returns one instrument per criterion, in the same order, and whether its scores rest on a judge's opinions. */
    list: (criteria: readonly CriterionFacts[]): readonly (Instrument & { readonly judged: boolean })[] =>
      criteria.map(({ name, options, origin, judges }) => {
        const { prompts = [], models = [] } = answered.get(name) ?? {};
        const named = [...models].sort();
        return {
          criterion: name,
          options,
          origin,
          prompts: [...prompts].sort(),
          judges: named.length > 0 ? named : judges,
          judged: answered.has(name),
        };
      }),
  };
}

function note(criterion: string, score: Score, answered: Map<string, Answered>): void {
  const all: (readonly Evidence[] | undefined)[] = [score.evidence];
  for (const part of 'parts' in score ? score.parts : []) all.push(part.evidence);
  for (const one of all.flatMap((evidence) => evidence ?? [])) {
    const opinions = readOpinions(one);
    if (opinions === null) continue;
    const own = answered.get(criterion) ?? { prompts: new Set(), models: new Set() };
    answered.set(criterion, own);
    if (opinions.prompt !== undefined) own.prompts.add(opinions.prompt);
    for (const { model } of opinions.samples) if (model !== undefined) own.models.add(model);
  }
}

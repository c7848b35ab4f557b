import type { Evidence, Score } from '@agent-criteria/core';
import { type RunCase, readOpinions } from '@agent-criteria/results';
import type { CriterionFacts } from './criterion-facts.ts';
import type { Instrument } from './instrument.ts';

/** Collects the instruments of criteria from cases that are read anyway. */
export interface InstrumentCollection {
  add(one: Pick<RunCase, 'result'>): void;
  /** One instrument for each criterion, in their order. */
  list(criteria: readonly CriterionFacts[]): readonly CollectedInstrument[];
}

export interface CollectedInstrument extends Instrument {
  /** Whether scores are based on opinions of a judge. */
  readonly judged: boolean;
}

interface Seen {
  readonly prompts: Set<string>;
  readonly models: Set<string>;
}

export function collectInstruments(): InstrumentCollection {
  const seen = new Map<string, Seen>();
  return {
    add({ result }) {
      for (const { name, turns } of result.criteria) for (const { score } of turns) note(name, score, seen);
    },
    list: (criteria) =>
      criteria.map(({ name, options, origin, judges }) => {
        const { prompts = [], models = [] } = seen.get(name) ?? {};
        const named = [...models].sort();
        return {
          criterion: name,
          options,
          origin,
          prompts: [...prompts].sort(),
          judges: named.length > 0 ? named : judges,
          judged: seen.has(name),
        };
      }),
  };
}

function note(criterion: string, score: Score, seen: Map<string, Seen>): void {
  const all: (readonly Evidence[] | undefined)[] = [score.evidence];
  for (const part of 'parts' in score ? score.parts : []) all.push(part.evidence);
  for (const one of all.flatMap((evidence) => evidence ?? [])) {
    const opinions = readOpinions(one);
    if (opinions === null) continue;
    const own = seen.get(criterion) ?? { prompts: new Set(), models: new Set() };
    seen.set(criterion, own);
    if (opinions.prompt !== undefined) own.prompts.add(opinions.prompt);
    for (const { model } of opinions.samples) if (model !== undefined) own.models.add(model);
  }
}

// Stand-ins for criteria that ask a model and are not built yet, so that the pages can be walked whole. The package that
// brings a criterion takes its stand-in's place; with the last of them this file goes.

import {
  type Criterion,
  contentText,
  defineCriterion,
  type KnownCriterion,
  knownCriteria,
  optionsSchema,
  type Plugin,
  type Rubric,
  type Score,
  type Turn,
} from '@agent-criteria/core';
import * as z from 'zod/mini';

/** What a stand-in would ask a model. */
export interface Question {
  readonly criterion: string;
  readonly caseId: string;
  /** From 0; `null` for a whole conversation. */
  readonly turn: number | null;
  /** `null` where the criterion has none. */
  readonly rubric: Rubric | null;
  /** The agent's last answer. */
  readonly answer: string;
}

/** Yes, no, or `null`: no opinion was to be had. */
export type Opinion = (question: Question) => boolean | null;

const BUILT: readonly string[] = ['criteria-llm-judge', 'criteria-hallucination', 'user-simulator'].map(
  (name) => `@agent-criteria/${name}`,
);

function isStoodInFor(known: KnownCriterion): boolean {
  return known.judgedByModel && !BUILT.includes(known.package);
}

/** A criterion under every name that a model judges and that is not built yet. */
export function scriptedJudges(opinion: Opinion): readonly Plugin[] {
  return knownCriteria.filter(isStoodInFor).map((known) => standIn(known, opinion));
}

function standIn(known: KnownCriterion, opinion: Opinion): Criterion {
  const { name, description } = known;
  const [min, max] = known.range === '1 to 5' ? [1, 5] : [0, 1];
  const head = {
    name,
    description,
    origin: { package: known.package, version: '0.0.0' },
    gates: true as const,
    range: { min, max, better: 'higher' as const },
    needs: {
      ...(known.referenceBased ? { reference: 'response' as const } : {}),
    },
    options: optionsOf(known),
  };
  const judge = (question: Omit<Question, 'rubric'>): Score => {
    const yes = opinion({ ...question, rubric: null });
    if (yes !== null) return { value: yes ? max : min };
    return { value: null, missing: 'could-not-judge', reason: 'the script has no opinion' };
  };
  const answerOf = (turn: Turn | undefined): string => contentText(turn?.actual.finalResponse);
  if (name.includes('multi_turn')) {
    return defineCriterion({
      ...head,
      scope: 'conversation',
      evaluate: ({ unit, turns }) =>
        judge({ criterion: name, caseId: unit.case.evalId, turn: null, answer: answerOf(turns.at(-1)) }),
    });
  }
  return defineCriterion({
    ...head,
    scope: 'turn',
    evaluate: (turn, _options, _tools, { unit }) =>
      judge({ criterion: name, caseId: unit.case.evalId, turn: turn.index, answer: answerOf(turn) }),
  });
}

const judgeModelOptions = z.strictObject({
  judgeModel: z.exactOptional(z.string()),
  judgeModelConfig: z.exactOptional(z.record(z.string(), z.unknown())),
  numSamples: z.exactOptional(z.int().check(z.minimum(1))),
  parallelismLimit: z.exactOptional(z.int().check(z.minimum(1))),
});

/** The options that ADK's pages write; only their names and types are checked. */
function optionsOf({ name, package: origin }: KnownCriterion) {
  const isService = origin === '@agent-criteria/criteria-vertex' || name === 'safety_v1';
  const schema = z.strictObject({
    ...(isService ? {} : { judgeModelOptions: z.exactOptional(judgeModelOptions) }),
    ...(isService ? {} : { includeIntermediateResponsesInFinal: z.exactOptional(z.boolean()) }),
  });
  return optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' }));
}

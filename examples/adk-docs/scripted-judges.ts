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
  type UserSimulator,
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

/** A criterion under every name that a model judges, and a user who says a scenario line by line. */
export function scriptedJudges(opinion: Opinion): readonly Plugin[] {
  return [
    ...knownCriteria.filter((known) => known.judgedByModel).map((known) => standIn(known, opinion)),
    scriptedUser,
  ];
}

const RUBRIC_TYPES: Readonly<Record<string, string>> = {
  rubric_based_final_response_quality_v1: 'FINAL_RESPONSE_QUALITY',
  rubric_based_tool_use_quality_v1: 'TOOL_USE_QUALITY',
  rubric_based_multi_turn_trajectory_quality_v1: 'TRAJECTORY_QUALITY',
};

function standIn(known: KnownCriterion, opinion: Opinion): Criterion {
  const { name, description } = known;
  const [min, max] = known.range === '1 to 5' ? [1, 5] : [0, 1];
  const rubricType = RUBRIC_TYPES[name];
  const head = {
    name,
    description,
    origin: { package: known.package, version: '0.0.0' },
    gates: true as const,
    range: { min, max, better: 'higher' as const },
    needs: {
      ...(known.referenceBased ? { reference: 'response' as const } : {}),
      ...(rubricType === undefined ? {} : { rubrics: { type: rubricType } }),
      ...(name === 'per_turn_user_simulator_quality_v1' ? { scenario: true } : {}),
    },
    options: optionsOf(known),
  };
  const judge = (question: Omit<Question, 'rubric'>, rubrics: readonly Rubric[]): Score => {
    const ask = (rubric: Rubric | null): Score => {
      const yes = opinion({ ...question, rubric });
      if (yes !== null) return { value: yes ? max : min };
      return { value: null, missing: 'could-not-judge', reason: 'the script has no opinion' };
    };
    if (rubricType === undefined) return ask(null);
    if (rubrics.length === 0) return { value: null, missing: 'not-applicable', reason: 'there is no rubric' };
    return { parts: rubrics.map((rubric) => ({ ...ask(rubric), id: rubric.rubricId, kind: 'rubric' })) };
  };
  const answerOf = (turn: Turn | undefined): string => contentText(turn?.actual.finalResponse);
  if (name.includes('multi_turn')) {
    return defineCriterion({
      ...head,
      scope: 'conversation',
      evaluate: ({ unit, turns, rubrics }) =>
        judge({ criterion: name, caseId: unit.case.evalId, turn: null, answer: answerOf(turns.at(-1)) }, rubrics),
    });
  }
  return defineCriterion({
    ...head,
    scope: 'turn',
    evaluate: (turn, _options, _tools, { unit }) =>
      judge({ criterion: name, caseId: unit.case.evalId, turn: turn.index, answer: answerOf(turn) }, turn.rubrics),
  });
}

const rubric = z.strictObject({
  rubricId: z.string(),
  rubricContent: z.strictObject({ textProperty: z.string() }),
  description: z.exactOptional(z.string()),
  type: z.exactOptional(z.string()),
});
const judgeModelOptions = z.strictObject({
  judgeModel: z.exactOptional(z.string()),
  judgeModelConfig: z.exactOptional(z.record(z.string(), z.unknown())),
  numSamples: z.exactOptional(z.int().check(z.minimum(1))),
  parallelismLimit: z.exactOptional(z.int().check(z.minimum(1))),
});

/** The options that ADK's pages write; only their names and types are checked. */
function optionsOf({ name, needsRubrics, package: origin }: KnownCriterion) {
  const isService = origin === '@agent-criteria/criteria-vertex' || name === 'safety_v1';
  const schema = z.strictObject({
    ...(isService ? {} : { judgeModelOptions: z.exactOptional(judgeModelOptions) }),
    ...(isService ? {} : { includeIntermediateResponsesInFinal: z.exactOptional(z.boolean()) }),
    ...(needsRubrics ? { rubrics: z.exactOptional(z.array(rubric)) } : {}),
    ...(name === 'hallucinations_v1' ? { evaluateIntermediateNlResponses: z.exactOptional(z.boolean()) } : {}),
    ...(name === 'per_turn_user_simulator_quality_v1' ? { stopSignal: z.exactOptional(z.string()) } : {}),
  });
  return optionsSchema(schema, z.toJSONSchema(schema, { io: 'input' }));
}

const simulatorOptions = z.strictObject({
  model: z.exactOptional(z.string()),
  modelConfiguration: z.exactOptional(z.record(z.string(), z.unknown())),
  maxAllowedInvocations: z._default(z.int(), 20),
});

/** Says the starting prompt, then the lines of the plan, and ends with the last. */
const scriptedUser: UserSimulator<'llm_backed', unknown, z.infer<typeof simulatorOptions>> = {
  kind: 'user-simulator',
  specVersion: 1,
  name: 'llm_backed',
  origin: { package: '@agent-criteria/user-simulator', version: '0.0.0' },
  options: optionsSchema(simulatorOptions, z.toJSONSchema(simulatorOptions, { io: 'input' })),
  open({ scenario }, { maxAllowedInvocations }) {
    const lines = [scenario.startingPrompt, ...scenario.conversationPlan.split('\n')];
    return {
      async next(soFar) {
        const message = { role: 'user', parts: [{ text: lines[soFar.length] ?? '' }] };
        if (soFar.length + 1 >= lines.length) return { message, ending: { by: 'user' } };
        return soFar.length + 1 >= maxAllowedInvocations ? { message, ending: { by: 'turn-limit' } } : { message };
      },
    };
  },
};

import type { ModelAnswer, ModelRequest } from '@agent-criteria/core';
import { type ScriptedModel, scriptedModel } from '@agent-criteria/core/testing';

/** What a judge says of one rubric in one sample; `null` leaves the rubric out. */
export type Says = string | null;

/** A judge of rubrics: one entry for each id that the schema lists. */
export function rubricJudge(says: (id: string, sample: number) => Says): ScriptedModel {
  return scriptedModel((request) => rubricAnswer(request, (id) => says(id, request.sample)));
}

/** The answer to a request for rubrics. */
export function rubricAnswer(request: ModelRequest, says: (id: string) => Says): string {
  const rubrics = idsOf(request).flatMap((id) => {
    const verdict = says(id);
    return verdict === null ? [] : [{ id, evidence: `evidence of ${id}`, rationale: `${verdict} to ${id}`, verdict }];
  });
  return JSON.stringify({ rubrics });
}

/** A judge of answers, by sample: `valid`, `invalid`, anything else as it is, or a whole answer. */
export function matchJudge(says: (sample: number) => string | Partial<ModelAnswer>): ScriptedModel {
  return scriptedModel(({ sample }) => {
    const said = says(sample);
    if (typeof said !== 'string') return said;
    return JSON.stringify({ reasoning: `sample ${sample}`, is_the_agent_response_valid: said });
  });
}

/** The ids that the schema of a request lists. */
export function idsOf({ schema }: ModelRequest): readonly string[] {
  const listed = schema as {
    readonly properties: { readonly rubrics: { readonly items: { readonly properties: { readonly id: Ids } } } };
  };
  return listed.properties.rubrics.items.properties.id.enum;
}

interface Ids {
  readonly enum: readonly string[];
}

/** All that a judge was shown, as one text. */
export function shownTo(model: ScriptedModel, call = 0): string {
  return model.requests[call]?.messages.flatMap(({ parts }) => parts ?? []).map(({ text }) => text ?? '').join('\n') ?? '';
}

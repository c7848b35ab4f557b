import type { ModelAnswer, ModelRequest } from '@agent-criteria/core';
import { type ScriptedModel, scriptedModel } from '@agent-criteria/core/testing';

/** A judge's answer for one rubric in one sample; `null` omits the rubric. */
export type Says = string | null;

/** Creates a rubric judge that answers for each rubric it is shown, identified by the name in the rubric's text. */
export function rubricJudge(says: (name: string, sample: number) => Says): ScriptedModel {
  return scriptedModel((request) => rubricAnswer(request, (name) => says(name, request.sample)));
}

/** Creates the answer to a request about rubrics. */
export function rubricAnswer(request: ModelRequest, says: (name: string) => Says): string {
  const rubrics = shownRubrics(request).flatMap(({ id, text }) => {
    const name = nameOf(text);
    const verdict = says(name);
    if (verdict === null) return [];
    return [{ id, evidence: `evidence of ${name}`, rationale: `${verdict} to ${name}`, verdict }];
  });
  return JSON.stringify({ rubrics });
}

/**
 * Creates a judge of answers. `says` returns its reply to each sample: `valid`, `invalid`, any other label, or a whole
 * answer.
 */
export function matchJudge(says: (sample: number) => string | Partial<ModelAnswer>): ScriptedModel {
  return scriptedModel(({ sample }) => {
    const said = says(sample);
    if (typeof said !== 'string') return said;
    return JSON.stringify({ reasoning: `sample ${sample}`, is_the_agent_response_valid: said });
  });
}

/** Returns the names of the rubrics in a request. */
export function namesOf(request: ModelRequest): readonly string[] {
  return shownRubrics(request).map(({ text }) => nameOf(text));
}

/** Returns the name that the fixture `rubric` put into a text, or else the whole text. */
function nameOf(text: string): string {
  return /^It has the property (.*)\.$/s.exec(text)?.[1] ?? text;
}

/** Returns the rubrics in a request, as shown to the judge. */
function shownRubrics({ messages }: ModelRequest): readonly { readonly id: string; readonly text: string }[] {
  const text = messages[0]?.parts?.[0]?.text ?? '';
  const marker = /^The code of this request is (\w+)/.exec(text)?.[1] ?? '';
  const [, after = ''] = text.split(`\n[begin ${marker}: rubrics]\n`);
  return JSON.parse(after.split(`\n[end ${marker}: rubrics]`)[0] ?? '[]');
}

/** Returns everything that a judge was shown, as one string. */
export function shownTo(model: ScriptedModel, call = 0): string {
  return model.requests[call]?.messages.flatMap(({ parts }) => parts ?? []).map(({ text }) => text ?? '').join('\n') ?? '';
}

import {
  type Content,
  contentText,
  couldNotJudge,
  type Evidence,
  type Json,
  type Range,
  type Score,
} from '@agent-criteria/core';

/** The service's result for one metric. */
export interface MetricResult {
  /** The score, or `null` if there is none or it is not a number. */
  readonly score: number | null;
  readonly explanation: string | null;
  /** Why the service could not score. */
  readonly error: string | null;
  readonly verdicts: readonly RubricVerdict[];
}

/** The verdict on one of the rubrics that the service generated for the conversation. */
export interface RubricVerdict {
  /** ADK's name for the rubric: its description, or else its id, or else `rubric_<n>`. */
  readonly id: string;
  readonly verdict: boolean;
  readonly reasoning: string | null;
}

type Fields = { readonly [key: string]: Json | undefined };

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/**
 * Reads the result from an answer. A request asks for one metric, so several results are an error.
 *
 * @param field The field that contains it: `coherenceResult` for the older coherence metric. Other fields are ignored.
 */
export function readMetricResult(
  answer: Json,
  field: 'metricResults' | 'coherenceResult' = 'metricResults',
): MetricResult {
  const { [field]: found, error: ofAll } = fieldsOf(answer);
  const results: readonly Json[] = Array.isArray(found)
    ? found
    : field === 'metricResults' || found === undefined
      ? []
      : [found];
  if (results.length > 1) {
    const error = `the answer has ${results.length} results for the one requested metric: ${short(JSON.stringify(results))}`;
    return { score: null, explanation: null, error, verdicts: [] };
  }
  const [result] = results;
  const { score, explanation, error, rubricVerdicts } = fieldsOf(result);
  const none = result === undefined ? `the answer has no metric results: ${short(JSON.stringify(answer) ?? '')}` : null;
  return {
    score: typeof score === 'number' && Number.isFinite(score) ? score : null,
    explanation: textOf(explanation),
    error: errorText(error) ?? errorText(ofAll) ?? none ?? notANumber(score),
    verdicts: Array.isArray(rubricVerdicts) ? rubricVerdicts.map(readVerdict) : [],
  };
}

/**
 * Returns the text of a `google.rpc.Status`; code 0 and an empty status are not errors. A value of any other type is an
 * error too.
 */
function errorText(error: Json | undefined): string | null {
  const { code, message } = fieldsOf(error);
  if (error === undefined || error === null || code === 0 || JSON.stringify(error) === '{}') return null;
  const said = textOf(typeof error === 'string' ? error : message);
  if (typeof code === 'number') return `${said ?? 'no reason given'} (code ${code})`;
  return said ?? short(JSON.stringify(error));
}

function notANumber(score: Json | undefined): string | null {
  return score === undefined || score === null || (typeof score === 'number' && Number.isFinite(score))
    ? null
    : `its score is not a number: ${JSON.stringify(score).slice(0, 60)}`;
}

function readVerdict(value: Json, index: number): RubricVerdict {
  const { evaluatedRubric, verdict, reasoning } = fieldsOf(value);
  const { rubricId, content } = fieldsOf(evaluatedRubric);
  const { description } = fieldsOf(fieldsOf(content).property);
  return {
    id: textOf(description) ?? textOf(rubricId) ?? `rubric_${index}`,
    // The service omits `false`.
    verdict: verdict === true,
    reasoning: textOf(reasoning),
  };
}

/**
 * Converts a result to a score. Anything but a number inside the range becomes could-not-judge, with the service's
 * explanation.
 */
export function scoreOf(result: MetricResult, range: Range): Score {
  const evidence = evidenceOf(result);
  const kept = evidence.length === 0 ? {} : { evidence };
  const none = (reason: string) => couldNotJudge(reason, evidence);
  const { score, explanation, error } = result;
  if (error !== null) return none(`the evaluation service could not score this: ${error}`);
  if (score === null)
    return none(`the evaluation service returned no score${explanation === null ? '' : `: ${short(explanation)}`}`);
  const { min, max, better } = range;
  if (score < min || score > (max ?? score)) {
    return none(`the evaluation service returned the score ${score}, which is not between ${min} and ${max}`);
  }
  const isBest = score === (better === 'higher' ? max : min);
  return { value: score, ...(isBest ? {} : reasonOf(result)), ...kept };
}

function reasonOf({ explanation, verdicts }: MetricResult): { readonly reason?: string } {
  const unmet = verdicts.filter(({ verdict }) => !verdict);
  const [first] = unmet;
  if (first !== undefined) {
    const others = unmet.length === 1 ? '' : ` and ${unmet.length - 1} more`;
    return { reason: `${unmet.length} of ${verdicts.length} rubrics are not met: ${short(first.id)}${others}` };
  }
  return explanation === null ? {} : { reason: short(explanation) };
}

function evidenceOf({ score, explanation, error, verdicts }: MetricResult): readonly Evidence[] {
  return [
    ...(explanation === null ? [] : [{ kind: 'note' as const, text: explanation }]),
    ...(error === null ? [] : [{ kind: 'json' as const, label: 'error of the service', value: { score, error } }]),
    ...(verdicts.length === 0
      ? []
      : [{ kind: 'json' as const, label: 'rubric verdicts', value: verdicts.map((verdict) => ({ ...verdict })) }]),
  ];
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/**
 * Returns the score of an answer that has no text to judge, or `null` if it has text. Thoughts do not count as text.
 */
export function unjudgedAnswer(answer: Content | null | undefined): Score | null {
  if (contentText(answer).trim() !== '') return null;
  const isShown = answer?.parts?.some(({ text, thought }) => thought !== true && typeof text !== 'string');
  if (isShown) return couldNotJudge('the answer has no text, and the service only reads text');
  return { value: null, missing: 'not-applicable', reason: 'the agent said nothing in this turn' };
}

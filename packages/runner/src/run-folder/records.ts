import type { Ending, Inference, Score } from '@agent-criteria/core';
import {
  type CaseResult,
  type CriterionResult,
  type CriterionScores,
  stringifyJson,
  type TurnResult,
  type UnitScores,
} from '@agent-criteria/core/host';
import { couldNotBeScored } from '../unfinished.ts';
import { type Blobs, joinTexts, LONGEST_TEXT, splitTexts } from './blobs.ts';

/** A line of `inferences.jsonl`. Of several lines of one unit the last counts. */
export interface InferenceLine {
  readonly setId: string;
  readonly caseId: string;
  readonly repeat: number;
  /** From 0; counts up when a unit is run again. */
  readonly attempt: number;
  /** Hash of what the agent saw of the case. */
  readonly seen: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly inference: Inference;
  readonly texts?: Readonly<Record<string, string>>;
}

/** A line of `scores.jsonl`: one unit; the line that completes a case also has what the case came to. */
export interface ScoreLine {
  readonly setId: string;
  readonly caseId: string;
  readonly repeat: number;
  /** Of the inference that was scored: scores of an older one count no more. */
  readonly attempt: number;
  /** Whether some score could not be judged, so that scoring again may help. */
  readonly unjudged: boolean;
  readonly scores: {
    readonly sessionId: string;
    readonly ending: Ending;
    readonly criteria: readonly CriterionScores[];
    readonly case?: CaseLine;
  };
  readonly texts?: Readonly<Record<string, string>>;
}

export interface CaseLine {
  /** Of the inferences that the case was judged by, in the order of the repeats. */
  readonly attempts: readonly number[];
  readonly result: BareCaseResult;
}

/** A case's result without the scores of its turns: those stand in the lines of its units. */
export type BareCaseResult = Omit<CaseResult, 'criteria'> & {
  readonly criteria: readonly (Omit<CriterionResult, 'turns'> & { readonly turns: readonly BareTurn[] })[];
};
type BareTurn = Omit<TurnResult, 'score'>;

/** A line: its head as it is, and one value under `name`, whose long texts are kept as blobs. */
export function encodeLine(head: object, name: 'inference' | 'scores', value: unknown, blobs: Blobs): string {
  const whole = stringifyJson({ ...head, [name]: value });
  if (whole.length <= LONGEST_TEXT) return whole;
  const { json, texts } = splitTexts(value, blobs);
  const kept = texts === null ? '' : `,"texts":${stringifyJson(texts)}`;
  return `${stringifyJson(head).slice(0, -1)},"${name}":${json}${kept}}`;
}

export function decodeInference(line: InferenceLine, blobs: Blobs): InferenceLine {
  return { ...line, inference: joinTexts(line.inference, line.texts, blobs) };
}

export function decodeScores(line: ScoreLine, blobs: Blobs): ScoreLine {
  return { ...line, scores: joinTexts(line.scores, line.texts, blobs) };
}

export function unitScores({ setId, caseId, repeat, scores }: ScoreLine): UnitScores {
  const { sessionId, ending, criteria } = scores;
  return { key: { setId, caseId, repeat }, sessionId, ending, criteria };
}

export function bareResult(result: CaseResult): BareCaseResult {
  return {
    ...result,
    criteria: result.criteria.map((criterion) => ({
      ...criterion,
      turns: criterion.turns.map(({ repeat, turn, value, reached }) => ({ repeat, turn, value, reached })),
    })),
  };
}

/** The opposite of `bareResult`, from the scores of the case's units. */
export function wholeResult(bare: BareCaseResult, units: readonly UnitScores[]): CaseResult {
  return {
    ...bare,
    criteria: bare.criteria.map((criterion) => {
      const next = scoresByRepeat(criterion.name, units);
      return { ...criterion, turns: criterion.turns.map((turn) => ({ ...turn, score: next(turn.repeat) })) };
    }),
  };
}

/** Gives the scores of one criterion, repeat by repeat, in the order of the turns. */
function scoresByRepeat(name: string, units: readonly UnitScores[]): (repeat: number) => Score {
  const left = new Map<number, Iterator<Score>>();
  for (const unit of units) {
    const scores = unit.criteria.find((criterion) => criterion.name === name)?.scores ?? [];
    left.set(unit.key.repeat, scores[Symbol.iterator]());
  }
  return (repeat) => {
    const next = left.get(repeat)?.next();
    return next === undefined || next.done === true ? couldNotBeScored('this repeat was never scored') : next.value;
  };
}

export function hasUnjudged(scores: UnitScores): boolean {
  return scores.criteria.some((criterion) => criterion.scores.some(isUnjudged));
}

function isUnjudged(score: Score): boolean {
  if ('parts' in score) return score.parts.some(isUnjudged);
  return score.value === null && score.missing === 'could-not-judge';
}

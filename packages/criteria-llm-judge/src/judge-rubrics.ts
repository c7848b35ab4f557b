import {
  type CallEstimate,
  couldNotJudge,
  type Rubric,
  type Score,
  type ScorePart,
  type Tools,
  type Transcript,
  type Unit,
} from '@agent-criteria/core';
import {
  askJudge,
  collectSamples,
  estimateJudgeCalls,
  type JudgeOptions,
  type JudgePrompt,
  limitFor,
  type Material,
  type Opinion,
  opinionsEvidence,
  type Sample,
  voteScore,
  winnerOf,
} from '@agent-criteria/judge';
import manifest from '../package.json' with { type: 'json' };
import type { RubricQualityOptions } from './options.ts';
import { labelsOf, readRubricAnswer, rubricAnswerSchema } from './rubric-answer.ts';
import type { RubricPrompt } from './rubric-prompt.ts';

type Options = RubricQualityOptions & JudgeOptions;

/** Properties that all rubric criteria share. */
export const rubricCriterion = {
  origin: { package: manifest.name, version: manifest.version },
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  adk: { mean: 'exact', missing: 'dropped', aggregate: 'parts' },
} as const;

/** Rubrics that are judged together. */
export interface RubricQuestion {
  readonly rubrics: readonly Rubric[];
  readonly prompt: RubricPrompt;
  /** The material shown to the judge before the rubrics. */
  readonly material: readonly Material[];
  readonly options: Options;
  readonly tools: Tools;
  readonly transcript: Transcript;
}

/**
 * Asks a judge about all rubrics in one call per sample, until every rubric is decided. Returns one part per rubric.
 */
export async function judgeRubrics(question: RubricQuestion): Promise<Score> {
  const { rubrics, prompt, material, options, tools, transcript } = question;
  if (rubrics.length === 0)
    return { value: null, missing: 'not-applicable', reason: 'there are no rubrics to judge by' };
  const repeated = repeatedIds(rubrics);
  if (repeated.length > 0) {
    const reason = `several rubrics have the same id, so their scores could not be told apart: ${repeated.join(', ')}`;
    return couldNotJudge(reason);
  }
  const { numSamples, parallelismLimit } = options.judgeModelOptions;
  const usable = rubrics.filter((rubric) => flawOf(rubric) === null);
  const ids = usable.map(({ rubricId }) => rubricId);
  const asked = questionOf(prompt, material, usable);
  const limit = limitFor(transcript, parallelismLimit);
  const ask = async (index: number): Promise<Sample> => {
    const read = (value: unknown) => readRubricAnswer(value, ids);
    const answer = await limit(() =>
      askJudge({ prompt: asked, read, options, tools, sample: index, verdictOf: labelsOf }),
    );
    if (!('value' in answer)) return { ...answer, opinions: new Map<string, Opinion>() };
    const { value, ...rest } = answer;
    return { ...rest, ...value };
  };
  const samples = ids.length === 0 ? [] : await collectSamples(numSamples, ids, ask, tools.compat === null);

  const parts = rubrics.map((rubric): ScorePart => {
    const flaw = flawOf(rubric);
    const score = flaw === null ? rubricScore(samples, rubric, numSamples, tools.compat) : couldNotJudge(flaw);
    return { ...score, id: rubric.rubricId, kind: 'rubric', text: rubric.rubricContent.textProperty ?? '' };
  });
  const reason = reasonOf(parts);
  const questions = usable.map(({ rubricId, rubricContent }) => ({
    id: rubricId,
    text: rubricContent.textProperty ?? '',
  }));
  return {
    parts,
    reason,
    ...(samples.length === 0 ? {} : { evidence: [opinionsEvidence(samples, questions, prompt.id)] }),
  };
}

/** Estimates the calls needed to judge all rubrics `judged` times. */
export function estimateRubricCalls(prompt: RubricPrompt, unit: Unit, judged: number, options: Options): CallEstimate {
  const rubrics = [...options.rubrics, ...(unit.case.rubrics ?? [])];
  return estimateJudgeCalls(unit, judged, options, prompt.instructions + prompt.question + rubricsText(rubrics));
}

function questionOf(prompt: RubricPrompt, material: readonly Material[], rubrics: readonly Rubric[]): JudgePrompt {
  return {
    ...prompt,
    material: [...material, { name: 'rubrics', text: rubricsText(rubrics) }],
    schema: rubricAnswerSchema(rubrics.length),
  };
}

/**
 * Lists the rubrics by number instead of id, because the schema repeats these identifiers outside the fence, where no
 * text from an eval file belongs.
 */
function rubricsText(rubrics: readonly Pick<Rubric, 'rubricContent'>[]): string {
  const shown = rubrics.map(({ rubricContent }, index) => ({
    id: String(index + 1),
    text: rubricContent.textProperty,
  }));
  return JSON.stringify(shown, null, 1);
}

/** Returns why a rubric cannot be judged. An eval set may contain rubrics that the options would reject. */
function flawOf({ rubricId, rubricContent }: Rubric): string | null {
  if (rubricId.trim() === '') return 'the rubric has no id';
  return (rubricContent.textProperty ?? '').trim() === '' ? 'the rubric has no text to judge by' : null;
}

/** Lists ids that a judge could mix up, because it may drop the white space around them. */
function repeatedIds(rubrics: readonly Rubric[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { rubricId } of rubrics) {
    const id = rubricId.trim();
    if (seen.has(id)) repeated.add(`"${id}"`);
    seen.add(id);
  }
  return [...repeated];
}

function rubricScore(samples: readonly Sample[], { rubricId }: Rubric, count: number, compat: 'adk' | null): Score {
  const score = voteScore(samples, rubricId, count, compat);
  if (!('value' in score) || score.value !== 1) return score;
  // From the score alone, a reader could not tell that the rubric did not apply.
  const winner = winnerOf(samples, rubricId, true);
  if (winner?.label !== 'not_applicable') return score;
  return { ...score, reason: `not applicable${winner.rationale === undefined ? '' : `: ${winner.rationale}`}` };
}

function reasonOf(parts: readonly ScorePart[]): string | undefined {
  const failed = parts.filter((part) => 'value' in part && part.value === 0);
  const [first] = failed;
  if (first === undefined) return undefined;
  const what =
    failed.length === 1
      ? `the rubric "${first.id}" is not fulfilled`
      : `${failed.length} of ${parts.length} rubrics are not fulfilled, the first is "${first.id}"`;
  return first.reason === undefined ? what : `${what}: ${first.reason}`;
}

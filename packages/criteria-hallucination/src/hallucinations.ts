import {
  type CallEstimate,
  defineCriterion,
  type Evidence,
  type Score,
  type ScorePart,
  type Unit,
} from '@agent-criteria/core';
import { estimateJudgeCalls, judgeName, limitFor, withContextWarning } from '@agent-criteria/judge';
import manifest from '../package.json' with { type: 'json' };
import { evidenceMaterial } from './evidence-material.ts';
import { type Cut, cutText, judgeText } from './judge-text.ts';
import { type HallucinationsOptions, hallucinationsOptions } from './options.ts';
import { segmenterInstructions } from './segmenter-prompt.ts';
import { type Step, stepsOf } from './steps.ts';
import { validatorInstructions } from './validator-prompt.ts';

/** The assumed number of texts per turn, for estimates in which all texts are judged. */
const MOST_TEXTS = 5;
/** The maximum number of texts whose shares a reason lists. */
const MOST_SHARES = 8;

/**
 * ADK's `hallucinations_v1`: the share of an answer's sentences that the agent's context supports, from 0 to 1.
 *
 * A judge splits each text into sentences, then labels every sentence according to the evidence: `supported` and
 * `not_applicable` score 1, `unsupported`, `contradictory` and `disputed` score 0. The score of a text is the mean of
 * its sentences, and the score of a turn is the mean of its texts: the final answer alone, or with
 * `evaluateIntermediateNlResponses`, everything that agents wrote. A turn without any text is not applicable.
 */
export const hallucinations = defineCriterion({
  name: 'hallucinations_v1',
  origin: { package: manifest.name, version: manifest.version },
  description: 'Every sentence of the answer is supported by the context of the agent.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: hallucinationsOptions,
  adk: { mean: 'exact', missing: 'dropped' },
  models: (options) => [judgeName(options)],
  modelSettings: ({ judgeModelOptions }) => judgeModelOptions.judgeModelConfig,
  estimate(unit, turns, options) {
    const texts = options.evaluateIntermediateNlResponses ? MOST_TEXTS : 1;
    const least = estimateTexts(unit, turns, options);
    const most = estimateTexts(unit, turns * texts, options);
    return { min: least.min, max: most.max, tokens: { min: least.tokens.min, max: most.tokens.max } };
  },
  scope: 'turn',
  async evaluate(turn, { options, tools, transcript }) {
    const { evaluateIntermediateNlResponses: intermediate, judgeModelOptions } = options;
    const steps = stepsOf(turn.actual, intermediate, tools.compat);
    if (steps.length === 0) return wroteNothing;
    const limit = limitFor(transcript, judgeModelOptions.parallelismLimit);
    const cutOnce = onceForEach<Cut>();
    const judgeOnce = onceForEach<Score>();
    const scores = await Promise.all(
      steps.map((step) => {
        const { text, place } = step;
        const cut = () => cutOnce(text, () => cutText(text, options, tools, limit));
        const evidence = () => evidenceMaterial(step, turn, transcript, tools.compat);
        // Equal texts with the same context are judged once.
        return judgeOnce(`${place} ${text}`, () => judgeText(text, cut, evidence, options, tools, limit));
      }),
    );
    const [only] = scores;
    const isWhole = !intermediate && only !== undefined;
    const score = isWhole
      ? only
      : { parts: steps.map((step, index) => stepPart(step, String(index + 1), scores[index])) };
    const known = transcript.turns.slice(0, turn.index).map(({ actual }) => actual);
    return withContextWarning(withReason(score), tools.compat === 'adk' ? [turn.actual] : [...known, turn.actual]);
  },
});

const wroteNothing: Score = {
  value: null,
  missing: 'not-applicable',
  reason: 'the agent wrote no text in this turn',
};

/** Creates the part for one of several texts, whose sentences are numbered below it, as in 2.1. */
function stepPart({ text, note }: Step, id: string, score: Score = wroteNothing): ScorePart {
  const notes = note === undefined ? [] : [{ kind: 'note' as const, text: note }];
  const evidence = [...notes, ...(score.evidence ?? []).map((one) => numberedBelow(one, id))];
  const part = {
    ...withReason(score),
    id,
    kind: 'step' as const,
    text,
    ...(evidence.length === 0 ? {} : { evidence }),
  };
  return 'parts' in part ? { ...part, parts: part.parts.map((one) => ({ ...one, id: `${id}.${one.id}` })) } : part;
}

/** Renumbers opinions with the ids of the parts that they are about. */
function numberedBelow(evidence: Evidence, id: string): Evidence {
  if (evidence.kind !== 'opinions') return evidence;
  const { questions, samples } = evidence;
  return {
    ...evidence,
    questions: questions.map((one) => ({ ...one, id: `${id}.${one.id}` })),
    samples: samples.map((sample) => ({
      ...sample,
      opinions: sample.opinions.map((one) => ({ ...one, question: `${id}.${one.question}` })),
    })),
  };
}

/** Adds a sentence that summarises the parts, unless all of them are good. */
function withReason(score: Score): Score {
  if (!('parts' in score)) return score;
  const parts = leavesOf(score.parts);
  const { sentences, bad } = countSentences(parts);
  const open = parts.filter((part) => 'missing' in part && part.missing === 'could-not-judge').length;
  const reasons = [
    ...(bad === 0
      ? []
      : [`${bad} of ${sentences} sentences ${bad === 1 ? 'is' : 'are'} not supported by the agent's context`]),
    ...(open === 0 ? [] : [`${open} could not be judged`]),
  ];
  if (reasons.length === 0) return score;
  const mean = bad === 0 ? '' : meanOfTexts(score.parts.filter(({ kind }) => kind === 'step'));
  return { ...score, reason: `${reasons.join(', ')}${mean}` };
}

/**
 * Describes the mean of several texts. It is not the share of sentences: a long text counts no more than a short one.
 */
function meanOfTexts(texts: readonly ScorePart[]): string {
  if (texts.length < 2) return '';
  const mean = `; the score is the mean of ${texts.length} texts`;
  if (texts.length > MOST_SHARES) return mean;
  const shares = texts.map((text) => {
    const { sentences, bad } = countSentences(leavesOf([text]));
    return sentences === 0 ? 'not judged' : `${sentences - bad} of ${sentences}`;
  });
  return `${mean} (sentences supported: ${shares.join(', ')})`;
}

function countSentences(leaves: readonly ScorePart[]) {
  const judged = leaves.filter((part) => !('value' in part && part.value === null));
  return { sentences: judged.length, bad: judged.filter((part) => 'value' in part && part.value === 0).length };
}

function leavesOf(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.flatMap((part) => ('parts' in part ? leavesOf(part.parts) : [part]));
}

/** Returns a function that does the work once for each key. */
function onceForEach<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const begun = new Map<string, Promise<T>>();
  return (key, work) => {
    const found = begun.get(key) ?? work();
    begun.set(key, found);
    return found;
  };
}

/** Estimates the calls for a number of texts: one to segment each, unless that is done locally, and the validations. */
function estimateTexts(unit: Unit, texts: number, options: HallucinationsOptions) {
  const once = { judgeModelOptions: { ...options.judgeModelOptions, numSamples: 1 } };
  const estimates = [
    ...(options.segmenter === 'local' ? [] : [estimateJudgeCalls(unit, texts, once, segmenterInstructions)]),
    estimateJudgeCalls(unit, texts, options, validatorInstructions(null)),
  ];
  const sum = (of: (estimate: CallEstimate) => number | undefined): number =>
    estimates.reduce((total, estimate) => total + (of(estimate) ?? 0), 0);
  return {
    min: sum(({ min }) => min),
    max: sum(({ max }) => max),
    tokens: { min: sum(({ tokens }) => tokens?.min), max: sum(({ tokens }) => tokens?.max) },
  };
}

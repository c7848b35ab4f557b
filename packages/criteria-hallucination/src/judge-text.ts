import { couldNotJudge, type Evidence, type Json, type Score, type ScorePart, type Tools } from '@agent-criteria/core';
import {
  askJudge,
  collectSamples,
  type JudgeAnswer,
  type Material,
  type Opinion,
  opinionsEvidence,
  type Sample,
  voteScore,
  winnerOf,
} from '@agent-criteria/judge';
import { hasLetters } from './letters.ts';
import type { HallucinationsOptions } from './options.ts';
import { type Piece, placeSegments } from './place-segments.ts';
import { quotesOf } from './quotes.ts';
import { type Finding, labelsOf, readFindings } from './read-findings.ts';
import { readSegments, segmenterPrompt, segmenterPromptId } from './segmenter-prompt.ts';
import { splitSentences } from './split-sentences.ts';
import { validatorPrompt } from './validator-prompt.ts';

/** Runs work within the limit on the criterion's own calls. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** More sentences than a judge can label in one answer. */
const MOST_SENTENCES = 1_000;

/** A text split into pieces, or why it could not be split. */
export type Cut = { readonly evidence: readonly Evidence[] } & (
  | { readonly pieces: readonly Piece[] }
  | { readonly failure: string }
);

/** Splits a text into sentences. Without letters or digits there are no sentences, and no call is made. */
export async function cutText(text: string, options: HallucinationsOptions, tools: Tools, limit: Limit): Promise<Cut> {
  if (!hasLetters(text)) return { pieces: [], evidence: [] };
  if (options.segmenter === 'local') {
    const pieces = splitSentences(text).map((sentence): Piece => ({ kind: 'sentence', text: sentence.trim() }));
    return { pieces, evidence: [] };
  }
  const answer = await limit(() =>
    askJudge({ prompt: segmenterPrompt(text), read: readSegments, options, tools, sample: 0 }),
  );
  const asked = segmenterEvidence(answer);
  if (!('value' in answer)) return { failure: answer.failure, evidence: [asked] };
  const { pieces, invented } = placeSegments(text, answer.value);
  return { pieces, evidence: [asked, ...inventedEvidence(invented)] };
}

/**
 * Judges one text: asks for each of its sentences whether the evidence supports it. Text omitted by the segmenter, and
 * sentences without a finding, could not be judged. The parts are the sentences, in order.
 */
export async function judgeText(
  text: string,
  cutting: () => Promise<Cut>,
  evidenceFor: () => readonly Material[],
  options: HallucinationsOptions,
  tools: Tools,
  limit: Limit,
): Promise<Score> {
  const cut = await cutting();
  if ('failure' in cut)
    return couldNotJudge(`the text could not be split into sentences: ${cut.failure}`, cut.evidence);
  if (cut.pieces.length === 0) return { value: null, missing: 'not-applicable', reason: 'the text has no sentences' };
  if (cut.pieces.length > MOST_SENTENCES) {
    const reason = `the text has ${cut.pieces.length} sentences; at most ${MOST_SENTENCES} are judged at once`;
    return couldNotJudge(reason, cut.evidence);
  }
  const sentences = cut.pieces.flatMap((piece) => (piece.kind === 'sentence' ? [piece.text] : []));
  const judged = sentences.length === 0 ? null : await validate(text, sentences, evidenceFor(), options, tools, limit);
  let number = 0;
  let leftOut = 0;
  const parts = cut.pieces.map((piece): ScorePart => {
    if (piece.kind === 'sentence' && judged !== null) {
      number += 1;
      return { ...judged.scoreOf(number), id: String(number), kind: 'sentence', text: piece.text };
    }
    leftOut += 1;
    const score = couldNotJudge(`the segmenter left out: ${quoted(piece.text)}`);
    return { ...score, id: `left-out-${leftOut}`, kind: 'sentence', text: piece.text };
  });
  return { parts, evidence: [...cut.evidence, ...(judged?.evidence ?? [])] };
}

function segmenterEvidence({ model, from, ...answer }: JudgeAnswer<readonly string[]>): Evidence {
  const value: Json = {
    model,
    prompt: segmenterPromptId,
    from,
    ...('failure' in answer ? { failure: answer.failure } : {}),
  };
  return { kind: 'json', label: 'segmenter', value };
}

/** The maximum number of listed items, enough for a reader. */
const MOST_LISTED = 5;

function inventedEvidence(invented: readonly string[]): readonly Evidence[] {
  if (invented.length === 0) return [];
  const listed = invented.slice(0, MOST_LISTED).map(quoted).join(', ');
  const more = invented.length > MOST_LISTED ? `, and ${invented.length - MOST_LISTED} more` : '';
  const text = `not judged, because the text does not contain it, or not in this order; the segmenter added: ${listed}${more}`;
  return [{ kind: 'note', text }];
}

async function validate(
  text: string,
  sentences: readonly string[],
  evidence: readonly Material[],
  options: HallucinationsOptions,
  tools: Tools,
  limit: Limit,
): Promise<{ readonly scoreOf: (number: number) => Score; readonly evidence: readonly Evidence[] }> {
  const prompt = validatorPrompt(evidence, sentences, text, tools.compat);
  const isQuote = quotesOf(evidence.map(({ text }) => text));
  const questions = sentences.map((sentence, index) => ({ id: String(index + 1), text: sentence }));
  const items = questions.map(({ id }) => id);
  const read = (value: unknown) => readFindings(value, sentences.length);
  const ask = async (index: number): Promise<Sample> => {
    const answer = await limit(() => askJudge({ prompt, read, options, tools, sample: index, verdictOf: labelsOf }));
    if (!('value' in answer)) return { ...answer, opinions: new Map() };
    const { value, ...rest } = answer;
    const opinions = [...value.findings].map(([number, one]) => [String(number), opinionOf(one, isQuote)] as const);
    const unreadable = [...value.unreadable].map(([number, why]) => [String(number), why] as const);
    return { ...rest, opinions: new Map(opinions), unreadable: new Map(unreadable) };
  };
  // ADK reads num_samples but asks once.
  const count = tools.compat === 'adk' ? 1 : options.judgeModelOptions.numSamples;
  const samples = await collectSamples(count, items, ask);
  return {
    scoreOf: (number) => sentenceScore(samples, String(number), count),
    evidence: [opinionsEvidence(samples, questions, prompt.id)],
  };
}

function opinionOf({ label, rationale, supporting, contradicting }: Finding, isQuote: (quote: string) => boolean) {
  const quote = (what: string, text: string): Evidence[] => {
    if (text === '') return [];
    const doubt = isQuote(text) ? '' : ' (not found in the evidence)';
    return [{ kind: 'note', text: `${what}: ${quoted(text)}${doubt}` }];
  };
  const opinion: Opinion = {
    positive: label === 'supported' || label === 'not_applicable',
    label,
    ...(rationale === '' ? {} : { rationale }),
    evidence: [...quote('for it', supporting), ...quote('against it', contradicting)],
  };
  return opinion;
}

/** Returns the vote on a sentence, with the label of the winning side. */
function sentenceScore(samples: readonly Sample[], item: string, count: number): Score {
  const score = voteScore(samples, item, count);
  const evidence = (score.evidence ?? []).filter(({ kind }) => count > 1 || kind !== 'vote');
  const shown = evidence.length === 0 ? {} : { evidence };
  const { evidence: _, ...rest } = score;
  const winner = 'value' in score && score.value !== null ? winnerOf(samples, item, score.value === 1) : undefined;
  if (winner === undefined) return { ...rest, ...shown };
  const reason = winner.rationale === undefined ? winner.label : `${winner.label}: ${winner.rationale}`;
  return { ...rest, reason, ...shown };
}

function quoted(text: string): string {
  return text.length > 200 ? `"${text.slice(0, 200)}…"` : `"${text}"`;
}

import {
  type AnswerSource,
  type Ballot,
  decide,
  type Evidence,
  type OpinionsEvidence,
  type Score,
} from '@agent-criteria/core';

/** A judge's opinion on one item, such as an answer, a rubric or a sentence. */
export interface Opinion {
  /** Whether it counts for a score of 1. */
  readonly positive: boolean;
  /** The verdict in the words of the prompt, such as `valid` or `not_applicable`. */
  readonly label: string;
  readonly rationale?: string | undefined;
  /** The evidence for the opinion. */
  readonly evidence?: readonly Evidence[] | undefined;
}

/** The outcome of one of a judge's samples. */
export interface Sample {
  /** The opinions by item. An item without an opinion is unreadable in this sample. */
  readonly opinions: ReadonlyMap<string, Opinion>;
  /** The reasons why items have no opinion. Default: the judge did not mention them. */
  readonly unreadable?: ReadonlyMap<string, string> | undefined;
  /** The reason why there are no opinions. */
  readonly failure?: string | undefined;
  /** Set if the call failed, so that there is no answer. */
  readonly callFailed?: true | undefined;
  /** The model's id. */
  readonly model: string;
  readonly from?: AnswerSource | undefined;
}

/**
 * Requests samples until every item is decided: first a majority of them, all at once, then one at a time.
 * The same answers give the same samples whatever their order of arrival. Rejects with the first rejection by index,
 * once all calls in flight have settled.
 *
 * @param ask Returns the sample with this index. May reject only on abort, or if a call is skipped.
 * @param early Whether to stop early. `false` requests all samples at once, as ADK does.
 */
export async function collectSamples(
  count: number,
  items: readonly string[],
  ask: (index: number) => Promise<Sample>,
  early = true,
): Promise<readonly Sample[]> {
  const first = early ? Math.floor(count / 2) + 1 : count;
  const settled = await Promise.allSettled(Array.from({ length: first }, (_, index) => ask(index)));
  const samples = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  const open = () => items.some((item) => decide(count, ballotOf(samples, item)) === 'undecided');
  while (samples.length < count && open()) samples.push(await ask(samples.length));
  return samples;
}

/** Counts the votes on an item. */
export function ballotOf(samples: readonly Sample[], item: string): Ballot {
  const opinions = samples.map(({ opinions: of }) => of.get(item));
  const positive = opinions.filter((opinion) => opinion?.positive === true).length;
  const negative = opinions.filter((opinion) => opinion?.positive === false).length;
  return { positive, negative, unreadable: samples.length - positive - negative };
}

/**
 * Scores the vote on an item: 1, 0 or could-not-judge. The reason is that of the first sample on the winning side.
 * Without a majority of all samples, `adkValue` is the outcome among the readable ones.
 *
 * @param compat With `'adk'`, one failed call discards all samples in `adkValue`, as in ADK. Default `null`.
 */
export function voteScore(samples: readonly Sample[], item: string, count: number, compat: 'adk' | null = null): Score {
  const ballot = ballotOf(samples, item);
  const { positive, negative, unreadable } = ballot;
  const outcome = decide(count, ballot);
  const vote: Evidence = { kind: 'vote', positive, negative, unreadable, of: count };
  // In ADK, a failed call discards all samples of the turn.
  const dropped = compat === 'adk' && samples.some(({ callFailed }) => callFailed === true);
  if (outcome === 'positive' || outcome === 'negative') {
    const winner = winnerOf(samples, item, outcome === 'positive');
    const reason = winner?.rationale ?? winner?.label;
    return {
      value: outcome === 'positive' ? 1 : 0,
      reason,
      ...(dropped ? { adkValue: null } : {}),
      evidence: [vote, ...(winner?.evidence ?? [])],
    };
  }
  const failures = samples.flatMap((sample) =>
    sample.opinions.has(item) ? [] : [sample.failure ?? whyUnreadable(sample, item)],
  );
  const split = positive + negative === 0 ? '' : ` (${positive} for, ${negative} against)`;
  const why = failures[0] === undefined ? '' : `: ${failures[0]}`;
  return {
    value: null,
    missing: 'could-not-judge',
    reason: `${unreadable} of ${count} samples gave no opinion${split}${why}`,
    ...(dropped || positive + negative === 0 ? {} : { adkValue: positive > negative ? 1 : 0 }),
    evidence: [vote],
  };
}

/** Returns the first opinion on the winning side. */
export function winnerOf(samples: readonly Sample[], item: string, positive: boolean): Opinion | undefined {
  for (const { opinions } of samples) {
    const opinion = opinions.get(item);
    if (opinion?.positive === positive) return opinion;
  }
  return undefined;
}

function whyUnreadable({ unreadable }: Sample, item: string): string {
  return unreadable?.get(item) ?? 'the judge did not mention it';
}

/**
 * Collects each sample's answer to each question, with the prompt's version and the model.
 *
 * @param questions Their ids are the items of the samples and the ids of the parts that they decide.
 */
export function opinionsEvidence(
  samples: readonly Sample[],
  questions: OpinionsEvidence['questions'],
  promptId: string,
): OpinionsEvidence {
  return {
    kind: 'opinions',
    prompt: promptId,
    questions,
    samples: samples.map((one, sample) => {
      const { model, from, failure } = one;
      if (failure !== undefined) return { sample, model, from, opinions: [], failure };
      return { sample, model, from, opinions: questions.map(({ id }) => opinionOn(one, id)) };
    }),
  };
}

function opinionOn(sample: Sample, question: string): OpinionsEvidence['samples'][number]['opinions'][number] {
  const opinion = sample.opinions.get(question);
  if (opinion === undefined) return { question, unreadable: whyUnreadable(sample, question) };
  const { label, rationale, positive } = opinion;
  return { question, label, rationale, countedAs: positive ? 'positive' : 'negative' };
}

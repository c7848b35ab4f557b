import type { AnswerSource, Evidence, OpinionsEvidence } from '@agent-criteria/core';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';

/** A sample in the format used before opinions became a kind of evidence. */
interface OlderSample {
  readonly sample: number;
  readonly opinions?: readonly { readonly item: string; readonly label: string; readonly rationale?: unknown }[];
  readonly model?: unknown;
  readonly prompt?: unknown;
  readonly from?: unknown;
  readonly failure?: unknown;
}

const olderSamples: Schema<readonly OlderSample[]> = is.list({
  sample: is.number,
  opinions: is.optional(is.list({ item: is.text, label: is.text })),
});

/**
 * Reads the opinions behind a judge's score, including those in older run folders.
 * @returns `null` for any other evidence.
 */
export function readOpinions(evidence: Evidence): OpinionsEvidence | null {
  if (evidence.kind === 'opinions') return evidence;
  if (evidence.kind !== 'json' || evidence.label !== 'opinions') return null;
  const older: unknown = evidence.value;
  if (!fits(olderSamples, older) || older.length === 0) return null;
  const ids = new Set(older.flatMap(({ opinions = [] }) => opinions.map(({ item }) => item)));
  return {
    kind: 'opinions',
    // All of a judge's samples share one prompt.
    prompt: textOf(older[0]?.prompt),
    questions: [...ids].map((id) => ({ id })),
    samples: older.map(({ sample, opinions = [], model, from, failure }) => ({
      sample,
      model: textOf(model),
      from: fromOf(from),
      opinions: opinions.map(({ item, label, rationale }) => ({ question: item, label, rationale: textOf(rationale) })),
      failure: textOf(failure),
    })),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fromOf(value: unknown): AnswerSource | undefined {
  return value === 'live' || value === 'cache' || value === 'recording' ? value : undefined;
}

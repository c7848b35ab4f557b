import type { Evidence, From, Json, OpinionsEvidence } from '@agent-criteria/core';

type Question = OpinionsEvidence['questions'][number];
type Sample = OpinionsEvidence['samples'][number];
type Opinion = Sample['opinions'][number];
type Fields = { readonly [key: string]: Json | undefined };

/**
 * The opinions that a judge's score rests on, also as run folders have them that were written before opinions were a kind
 * of evidence; `null` for any other evidence.
 */
export function readOpinions(evidence: Evidence): OpinionsEvidence | null {
  if (evidence.kind === 'opinions') return evidence;
  if (evidence.kind !== 'json' || evidence.label !== 'opinions' || !Array.isArray(evidence.value)) return null;
  const read = evidence.value.map(readSample);
  const samples = read.filter((one) => one !== null);
  if (samples.length === 0 || samples.length < read.length) return null;
  const ids = new Set(samples.flatMap(({ opinions }) => opinions.map(({ question }) => question)));
  const questions = [...ids].map((id): Question => ({ id }));
  return { kind: 'opinions', prompt: promptOf(evidence.value), questions, samples };
}

/** All samples of a judge were asked by one prompt. */
function promptOf([first]: readonly Json[]): string | undefined {
  return isObject(first) ? textOf(first.prompt) : undefined;
}

function readSample(value: Json): Sample | null {
  if (!isObject(value) || typeof value.sample !== 'number') return null;
  const { sample, opinions = [] } = value;
  if (!Array.isArray(opinions)) return null;
  const read = opinions.map(readOpinion);
  const known = read.filter((one) => one !== null);
  if (known.length < read.length) return null;
  return {
    sample,
    model: textOf(value.model),
    from: fromOf(value.from),
    opinions: known,
    failure: textOf(value.failure),
  };
}

function readOpinion(value: Json): Opinion | null {
  if (!isObject(value) || typeof value.item !== 'string' || typeof value.label !== 'string') return null;
  return { question: value.item, label: value.label, rationale: textOf(value.rationale) };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fromOf(value: Json | undefined): From | undefined {
  return value === 'live' || value === 'cache' || value === 'recording' ? value : undefined;
}

function isObject(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { Evidence, Json } from '@agent-criteria/core';

/** What one sample of a judge said, of each item that it was asked about; or why it said nothing. */
export interface SampleOpinions {
  /** From 0. */
  readonly sample: number;
  /** The id of the model. */
  readonly model?: string | undefined;
  /** The version of the prompt. */
  readonly prompt?: string | undefined;
  /** Where the answer came from, as `cache`. */
  readonly from?: string | undefined;
  readonly opinions: readonly ItemOpinion[];
  /** Why there is no opinion. */
  readonly failure?: string | undefined;
}

/** What was said of one item: a whole answer, a rubric, a sentence. */
export interface ItemOpinion {
  readonly item: string;
  /** In the judge's words, as `valid` or `not_applicable`. */
  readonly label: string;
  readonly rationale?: string | undefined;
}

/** The opinions that judge criteria keep beside their scores; `null` for evidence that is anything else. */
export function readOpinions(evidence: Evidence): readonly SampleOpinions[] | null {
  if (evidence.kind !== 'json' || evidence.label !== 'opinions' || !Array.isArray(evidence.value)) return null;
  const samples = evidence.value.map(readSample);
  return samples.length > 0 && samples.every((sample) => sample !== null) ? samples : null;
}

function readSample(value: Json): SampleOpinions | null {
  if (!isObject(value) || typeof value.sample !== 'number') return null;
  const { sample, opinions = [] } = value;
  if (!Array.isArray(opinions)) return null;
  const read = opinions.map(readItem);
  if (!read.every((one) => one !== null)) return null;
  return { sample, opinions: read, ...texts(value, ['model', 'prompt', 'from', 'failure']) };
}

function readItem(value: Json): ItemOpinion | null {
  if (!isObject(value) || typeof value.item !== 'string' || typeof value.label !== 'string') return null;
  return { item: value.item, label: value.label, ...texts(value, ['rationale']) };
}

function texts<Name extends string>(value: { readonly [key: string]: Json }, names: readonly Name[]) {
  const found = names.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]] as const] : []));
  return Object.fromEntries(found) as { readonly [name in Name]?: string };
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

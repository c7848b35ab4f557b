import type { ModelAnswer, ModelRequest } from '@agent-criteria/core';
import { type ScriptedModel, scriptedModel } from '@agent-criteria/core/testing';
import type { Label } from '../validator-prompt.ts';

/** A scripted validator's answer for one sentence; only the label is required. */
export interface Said {
  readonly label: Label | (string & {});
  readonly number?: number;
  readonly rationale?: string;
  readonly supporting_excerpt?: string | null;
  readonly contradicting_excerpt?: string | null;
}

type Reply = string | Partial<ModelAnswer>;

export interface JudgeScript {
  /** Splits a text into sentences. Default: after full stops, question marks and exclamation marks. */
  segment?(text: string, request: ModelRequest): readonly string[] | Reply;
  /** Returns the answer for each sentence. Default: all supported. */
  validate?(sentences: readonly string[], request: ModelRequest): readonly (Said | string)[] | Reply;
}

/**
 * Creates a judge that answers as a real one is asked to. It determines from the request which of the two tasks it has.
 */
export function scriptedJudge({ segment, validate }: JudgeScript = {}, id = 'scripted'): ScriptedModel {
  return scriptedModel((request) => {
    const said = isSegmenting(request)
      ? (segment?.(judgedText(request), request) ?? cutPlainly(judgedText(request)))
      : (validate?.(judgedSentences(request), request) ?? judgedSentences(request).map(() => 'supported'));
    if (!Array.isArray(said)) return said as Reply;
    const sentences = isSegmenting(request) ? said : said.map(entry);
    return JSON.stringify({ sentences });
  }, id);
}

function entry(said: Said | string, index: number): Said {
  const rest = { rationale: 'it is so', supporting_excerpt: null, contradicting_excerpt: null };
  return typeof said === 'string' ? { number: index + 1, ...rest, label: said } : { number: index + 1, ...rest, ...said };
}

/** Splits a text into sentences that end with `.`, `?` or `!` and white space. */
export function cutPlainly(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+/).filter((sentence) => sentence !== '');
}

export function isSegmenting(request: ModelRequest): boolean {
  return request.system?.startsWith('You split a text') ?? false;
}

/** Returns the texts shown to a judge, by name. */
export function materialOf(request: ModelRequest): ReadonlyMap<string, string> {
  const text = request.messages[0]?.parts?.[0]?.text ?? '';
  const marker = /^The code of this request is ([0-9a-f]{16})\./.exec(text)?.[1];
  if (marker === undefined) throw new Error('the request has no marker');
  const shown = new Map<string, string>();
  const blocks = text.matchAll(
    new RegExp(`^\\[begin ${marker}: (.*)\\]\\n([\\s\\S]*?)\\n\\[end ${marker}: \\1\\]$`, 'gm'),
  );
  for (const [, name = '', material = ''] of blocks) shown.set(name, material);
  return shown;
}

function judgedText(request: ModelRequest): string {
  return materialOf(request).get('the text to cut') ?? '';
}

export function judgedSentences(request: ModelRequest): readonly string[] {
  const list: { sentence: string }[] = JSON.parse(
    materialOf(request).get('the sentences to check, as JSON') ?? '[]',
  );
  return list.map(({ sentence }) => sentence);
}

/** Counts the calls of each kind. */
export function callsOf({ requests }: ScriptedModel) {
  const cuts = requests.filter(isSegmenting).length;
  return { cuts, validations: requests.length - cuts };
}

import type { Evidence, OpinionsEvidence } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { readOpinions } from '@agent-criteria/results';
import { jsonText } from './json-text.ts';
import { reasonText, truncate, wrapped } from './prose.ts';
import type { Style } from './style.ts';
import { indent, safe, safeLines } from './terminal.ts';

/** The maximum length of a text unless `detailed`, in characters. */
const TEXT_SHOWN = 600;

/** Formats a criterion's evidence as indented lines. Judges' opinions are only shown with `detailed`. */
export function formatEvidence(evidence: Evidence, margin: number, style: Style): readonly string[] {
  const { colors, detailed } = style;
  const shown = (value: unknown) => {
    const text = safeLines(typeof value === 'string' ? value : jsonText(value));
    return detailed ? text : truncate(text, TEXT_SHOWN);
  };
  switch (evidence.kind) {
    case 'note':
      return [wrapped(shown(evidence.text), margin, style)];
    case 'json': {
      const opinions = readOpinions(evidence);
      if (opinions !== null) return formatEvidence(opinions, margin, style);
      const { label, value } = evidence;
      const asked = askedText(value);
      if (asked !== null) {
        const line = safe(`${label ?? 'model'}: ${asked}`);
        return detailed ? [colors.dim(wrapped(line, margin, style))] : [];
      }
      const text = typeof value === 'string' ? `"${shown(value)}"` : shown(value);
      return [wrapped(`${label === undefined ? '' : `${safe(label)}: `}${text}`, margin, style)];
    }
    case 'diff': {
      const place = evidence.path === undefined ? [] : [safe(evidence.path)];
      const lines = [colors.red(`- ${shown(evidence.expected)}`), colors.green(`+ ${shown(evidence.actual)}`)];
      return [...place, ...lines.map((line) => wrapped(line, margin, style))];
    }
    case 'opinions':
      return detailed ? formatOpinions(evidence, margin, style) : [];
    case 'vote':
      return [
        `${evidence.positive} yes, ${evidence.negative} no, ${evidence.unreadable} without an opinion of ${evidence.of}`,
      ];
    case 'words': {
      const { missing, extra } = evidence;
      return [
        ...(missing.length > 0 ? [wrapped(`missing: ${shown(missing.join(' '))}`, margin, style)] : []),
        ...(extra.length > 0 ? [wrapped(`extra: ${shown(extra.join(' '))}`, margin, style)] : []),
      ];
    }
  }
}

/** Describes a recorded model call, as in `gemini-2.5-flash, my-prompt/2, from recording`. */
function askedText(value: unknown): string | null {
  if (!isObject(value)) return null;
  const { model, prompt, from, failure, ...others } = value;
  if (typeof prompt !== 'string' || typeof from !== 'string' || Object.keys(others).length > 0) return null;
  const source = from === 'live' ? [] : [`from ${from}`];
  const failed = typeof failure === 'string' ? [`failed: ${failure}`] : [];
  return [...(typeof model === 'string' ? [model] : []), prompt, ...source, ...failed].join(', ');
}

/** Formats the result of votes as ` (4:1)`. Empty if there were none. */
export function splitText(evidence: readonly Evidence[] = []): string {
  const splits = evidence.flatMap((one) => {
    if (one.kind !== 'vote') return [];
    return [`${one.positive}:${one.negative}${one.unreadable > 0 ? `, ${one.unreadable} without an opinion` : ''}`];
  });
  return splits.length === 0 ? '' : ` (${splits.join('; ')})`;
}

/** Formats the opinions in each of a judge's samples, with their source. */
function formatOpinions(evidence: OpinionsEvidence, margin: number, style: Style): readonly string[] {
  const { prompt, questions, samples } = evidence;
  return samples.flatMap(({ sample, model, from, opinions, failure }) => {
    const source = from === undefined || from === 'live' ? [] : [`from ${from}`];
    const facts = [model ?? [], prompt ?? [], source].flat().map((fact) => `, ${safe(fact)}`);
    const said = opinions.map((one) => {
      const subject = questions.length > 1 ? `${safe(one.question)}: ` : '';
      if ('unreadable' in one) return `${subject}no opinion: ${reasonText(one.unreadable, style)}`;
      const { label, rationale, countedAs } = one;
      const verdict = `${safe(label)}${countedAs === null ? ' (not counted)' : ''}`;
      return `${subject}${verdict}${rationale === undefined ? '' : `: ${reasonText(rationale, style)}`}`;
    });
    const lines = said.length > 0 ? said : [reasonText(failure ?? 'no opinion', style)];
    return [
      style.colors.dim(`sample ${sample + 1}${facts.join('')}`),
      ...lines.map((line) => indent(wrapped(line, margin + 2, style), 2)),
    ];
  });
}

import type { Evidence } from '@agent-criteria/core';
import { diffWordsWithSpace } from 'diff';
import { type Io, painter } from './io.ts';
import { safe } from './terminal.ts';

/** Longer texts are shown one after the other: a word diff of them takes long and helps nobody. */
const LONGEST_DIFF = 4000;

/** At most three digits after the point, cut and never rounded up to a threshold. */
export function formatScore(value: number | null): string {
  return value === null ? '-' : String(Math.trunc(value * 1000) / 1000);
}

/** Expected and actual in one text: what is missing as `[-…-]`, what is extra as `{+…+}`. */
export function wordDiff(expected: string, actual: string, io: Io): string {
  const colors = painter(io);
  if (expected.length + actual.length > LONGEST_DIFF) {
    return `${colors.red(`[-${safe(expected)}-]`)}\n${colors.green(`{+${safe(actual)}+}`)}`;
  }
  return diffWordsWithSpace(safe(expected), safe(actual))
    .map((change) => {
      if (change.removed) return colors.red(`[-${change.value}-]`);
      return change.added ? colors.green(`{+${change.value}+}`) : change.value;
    })
    .join('');
}

/** Evidence of any criterion as text. */
export function formatEvidence(evidence: Evidence, io: Io): string {
  const colors = painter(io);
  switch (evidence.kind) {
    case 'note':
      return safe(evidence.text);
    case 'json':
      return safe(`${evidence.label === undefined ? '' : `${evidence.label}: `}${JSON.stringify(evidence.value)}`);
    case 'diff': {
      const place = evidence.path === undefined ? '' : `${safe(evidence.path)}\n`;
      return `${place}${colors.red(`- ${shown(evidence.expected)}`)}\n${colors.green(`+ ${shown(evidence.actual)}`)}`;
    }
    case 'vote':
      return `${evidence.positive} yes, ${evidence.negative} no, ${evidence.unreadable} unreadable of ${evidence.of}`;
    case 'words': {
      const part = (label: string, words: readonly string[]): string =>
        words.length === 0 ? '' : `${label}: ${safe(words.join(' '))}`;
      return [part('missing', evidence.missing), part('extra', evidence.extra)]
        .filter((text) => text !== '')
        .join('\n');
    }
  }
}

function shown(value: unknown): string {
  return safe(typeof value === 'string' ? value : JSON.stringify(value));
}

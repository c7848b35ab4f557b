import type { CriterionVerdict, Verdict } from '@agent-criteria/core';
import { type Io, painter } from './io.ts';

/** A verdict, or a text about one, in its colour. */
export function paintVerdict(verdict: Verdict | CriterionVerdict, io: Io, text: string = verdict): string {
  const colors = painter(io);
  if (verdict === 'passed') return colors.green(text);
  return verdict === 'failed' || verdict === 'error' ? colors.red(text) : colors.yellow(text);
}

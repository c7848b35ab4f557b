import { MIN_EFFECT } from '@agent-criteria/analysis';
import { usage } from './arguments.ts';

/** `--min-effect`: a share of the scale, above 0 and below 1. */
export function minEffectOf(text: string | undefined): number {
  if (text === undefined) return MIN_EFFECT;
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share < 1) return share;
  throw usage(`--min-effect is a share of the scale, above 0 and below 1, such as 0.05 for 5 points, not "${text}"`);
}

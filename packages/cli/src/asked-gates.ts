import { type AskedGates, gatesOfTexts } from '@agent-criteria/project';

/** The gates of `--gate` and `--baseline`. @throws CriteriaError USAGE. */
export function askedGates(flags: {
  readonly gate?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}): AskedGates {
  return { gates: gatesOfTexts(flags.gate ?? []), baseline: flags.baseline };
}

import { shellWord } from '@agent-criteria/project/files';
import { gatesOfTexts } from '@agent-criteria/project/plan';
import type { AskedGates } from '@agent-criteria/project/runs';

/** Gates of flags, and these flags as a command has them. */
export interface GatesOfFlags extends AskedGates {
  /** Each with a blank before it. */
  readonly flags: string;
}

/** The gates of `--gate` and `--baseline`. @throws CriteriaError USAGE. */
export function askedGates({
  gate = [],
  baseline,
}: {
  readonly gate?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}): GatesOfFlags {
  const written = [
    ...gate.map((one) => ['--gate', one]),
    ...(baseline === undefined ? [] : [['--baseline', baseline]]),
  ];
  const flags = written.map(([flag = '', value = '']) => ` ${flag} ${shellWord(value)}`).join('');
  return { gates: gatesOfTexts(gate), baseline, flags };
}

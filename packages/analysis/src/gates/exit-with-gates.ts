import type { GateResult } from './gate.ts';

/** A run's exit code once its gates have been asked, and what has to be said of it. */
export interface GatedExit {
  readonly exitCode: 0 | 1 | 3;
  /** `true`: only the gates decided, because the config says so. */
  readonly decided: boolean;
}

/**
 * The exit code of a finished run with gates. They can turn 0 into 1 (one does not hold) or 3 (one cannot tell), and never the other
 * way round. With `decide`, they alone decide: 1 where one does not hold, 3 where one cannot tell, else 0. A run with missing
 * units never exits with 0.
 *
 * @param own The exit code of the cases.
 */
export function exitWithGates(
  own: 0 | 1 | 3,
  gates: readonly GateResult[],
  { decide, complete }: { readonly decide: boolean; readonly complete: boolean },
): GatedExit {
  const ofGates = gates.some(({ holds }) => holds === false) ? 1 : gates.some(({ holds }) => holds === null) ? 3 : 0;
  const decided = decide && gates.length > 0;
  const found = decided || own === 0 ? ofGates : own;
  return { exitCode: found === 0 && !complete ? 3 : found, decided };
}

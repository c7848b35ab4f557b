import type { RunSettings } from '@agent-criteria/runner';
import { milliseconds, oneOf, wholeNumber } from './arguments.ts';

/** What the flags that runs share come to. */
export interface RunFlags {
  readonly repeats: number;
  readonly compat: 'adk' | null;
  /** Only what was given. */
  readonly limits: {
    readonly agents?: number;
    readonly turnTimeout?: NonNullable<RunSettings['turnTimeout']>;
    readonly caseTimeout?: NonNullable<RunSettings['caseTimeout']>;
    readonly runTimeout?: NonNullable<RunSettings['runTimeout']>;
  };
}

interface Written {
  readonly num_runs?: string;
  readonly compat?: string;
  readonly parallelism?: string;
  readonly turn_timeout?: string;
  readonly case_timeout?: string;
  readonly run_timeout?: string;
}

/** @throws CriteriaError USAGE for what is no number above 0. */
export function readRunFlags(flags: Written): RunFlags {
  const agents = wholeNumber('parallelism', flags.parallelism);
  const turnTimeout = milliseconds('turn_timeout', flags.turn_timeout);
  const caseTimeout = milliseconds('case_timeout', flags.case_timeout);
  const runTimeout = milliseconds('run_timeout', flags.run_timeout);
  return {
    repeats: wholeNumber('num_runs', flags.num_runs) ?? 1,
    compat: oneOf('compat', flags.compat, ['adk']) ?? null,
    limits: {
      agents,
      turnTimeout,
      caseTimeout,
      runTimeout,
    },
  };
}

import type { StatisticsFacts } from '@agent-criteria/analysis';
import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';
import pc from 'picocolors';

/** Options of the console report. */
export interface ConsoleOptions {
  /** Whether to use colours. Default `false`. */
  readonly color?: boolean | undefined;
  /**
   * The width in columns. Longer lines are wrapped at spaces and, if the width is set explicitly, also within words. A
   * table that is too wide has numbers instead of names in its header, or becomes a list. Default 120; `Infinity`
   * disables wrapping.
   */
  readonly width?: number | undefined;
  /**
   * Whether to show every case and turn in full: prompts, expected and actual answers and calls, and scores. Default
   * `false`.
   */
  readonly detailed?: boolean | undefined;
  /** Whether to reduce the statistics of a run with few cases to one line. Default `false`. */
  readonly brief?: boolean | undefined;
  /**
   * The maximum number of cases in a table, and of cases in full. For a set with more cases, only those that did not
   * pass are listed, and the rest are counted. With `detailed`, all cases are shown in full. Default 200.
   */
  readonly limit?: number | undefined;
  /**
   * Returns the command that shows one case (and one variant, if there are several). It is printed after each case that
   * did not pass. Default: none.
   */
  readonly command?: ((setId: string, caseId: string, variant?: string) => string) | undefined;
  /** Facts about the run and its judges that the record does not contain. Default: none. */
  readonly facts?: StatisticsFacts | undefined;
}

/** Console options with defaults applied, and the colours. */
export interface Style {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly width: number;
  /** The width in columns beyond which a single word is broken. Infinite unless the width is set explicitly. */
  readonly longest: number;
  readonly detailed: boolean;
  readonly limit: number;
  readonly command: ((setId: string, caseId: string, variant?: string) => string) | null;
}

export function styleOf(options: ConsoleOptions): Style {
  const { color = false, width = 120, detailed = false, limit = 200, command = null } = options;
  return {
    colors: pc.createColors(color),
    width,
    longest: options.width ?? Number.POSITIVE_INFINITY,
    detailed,
    limit,
    command,
  };
}

/** Colours a verdict, or text about a verdict. */
export function paintVerdict(verdict: Verdict | CriterionVerdict, { colors }: Style, text: string = verdict): string {
  if (verdict === 'passed') return colors.green(text);
  return verdict === 'failed' || verdict === 'error' ? colors.red(text) : colors.yellow(text);
}

import type { StatisticsFacts } from '@agent-criteria/analysis';
import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';
import pc from 'picocolors';

/** Options of the console report. */
export interface ConsoleOptions {
  /** Whether to use colours. Default `false`. */
  readonly color?: boolean | undefined;
  /**
   * Columns. Wraps longer lines at spaces; if set explicitly, also inside words. A wider table has numbers instead of names in its header,
   * or becomes a list. Default 120; `Infinity` wraps nothing.
   */
  readonly width?: number | undefined;
  /** Shows every case and turn in full: prompt, expected and actual answer and calls, scores. Default `false`. */
  readonly detailed?: boolean | undefined;
  /** Reduces the statistics of a run with few cases to one line. Default `false`. */
  readonly brief?: boolean | undefined;
  /**
   * The number of cases in a table and in full: a set with more cases only lists those that did not pass; the rest is counted. With
   * `detailed`, all cases are in full. Default 200.
   */
  readonly limit?: number | undefined;
  /**
   * Returns the command that shows one case, for one variant if there are several; it is printed after each case that did not pass.
   * Default: none.
   */
  readonly command?: ((setId: string, caseId: string, variant?: string) => string) | undefined;
  /** Facts about the run and its judges that are not in its record. Default: none. */
  readonly facts?: StatisticsFacts | undefined;
}

/** Console options with their defaults, and the colours. */
export interface Style {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly width: number;
  /** Columns after which a single word is broken; infinite without an explicit width. */
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

/** Colours a verdict, or a text about one. */
export function paintVerdict(verdict: Verdict | CriterionVerdict, { colors }: Style, text: string = verdict): string {
  if (verdict === 'passed') return colors.green(text);
  return verdict === 'failed' || verdict === 'error' ? colors.red(text) : colors.yellow(text);
}

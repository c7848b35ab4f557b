import type { StatisticsFacts } from '@agent-criteria/analysis';
import type { CriterionVerdict, Verdict } from '@agent-criteria/core/host';
import pc from 'picocolors';

/** How the console report looks, and how much of it there is. */
export interface ConsoleOptions {
  /** Whether it is painted. Default `false`. */
  readonly color?: boolean | undefined;
  /**
   * Columns. Lines that are wider are broken, where there is a blank, or else inside of a word if this is given; a table that is wider has numbers in place of names in its
   * header, or becomes a list. Default 120; `Infinity` breaks nothing.
   */
  readonly width?: number | undefined;
  /** Every case and turn in full: prompt, expected and actual answer and calls, scores. Default `false`. */
  readonly detailed?: boolean | undefined;
  /** How certain the numbers of a run of few cases are, on one line. Default `false`. */
  readonly brief?: boolean | undefined;
  /**
   * A set of more cases than this has only those in its table that did not pass, and at most this many; and unless
   * `detailed`, at most this many are told in full. What is left out is counted. Default 200.
   */
  readonly limit?: number | undefined;
  /** The command that shows one case alone, of one variant where there are several; it ends each case that did not pass. Default: none. */
  readonly command?: ((setId: string, caseId: string, variant?: string) => string) | undefined;
  /** What the record does not say of the run and its judges. Default: nothing. */
  readonly facts?: StatisticsFacts | undefined;
}

/** Console options with their defaults, and the colours. */
export interface Look {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly width: number;
  /** Columns of a line of a single word: one that is longer is broken. Without a width none is. */
  readonly longest: number;
  readonly detailed: boolean;
  readonly limit: number;
  readonly command: ((setId: string, caseId: string, variant?: string) => string) | null;
}

export function lookOf(options: ConsoleOptions): Look {
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

/** A verdict, or a text about one, in its colour. */
export function paintVerdict(verdict: Verdict | CriterionVerdict, { colors }: Look, text: string = verdict): string {
  if (verdict === 'passed') return colors.green(text);
  return verdict === 'failed' || verdict === 'error' ? colors.red(text) : colors.yellow(text);
}

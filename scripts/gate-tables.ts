import { gateResults, type RunOutcomes } from '@agent-criteria/analysis';
import { alignedTable } from './markdown-table.ts';

/** The tables in the guide about gates, computed with the gates themselves. */
const tables: Readonly<Record<string, () => string>> = { 'how many cases': howManyCases, 'how often': howOften };

/** Returns a page with its computed tables updated. */
export function withGateTables(page: string): string {
  let written = page;
  for (const [name, table] of Object.entries(tables)) {
    const begin = `<!-- Written by \`pnpm reference\`: ${name}. -->`;
    const [before, rest] = written.split(begin);
    if (before === undefined || rest === undefined) continue;
    const [, after] = rest.split(END);
    if (after === undefined) throw new Error(`the page has no end for the table "${name}": ${END}`);
    written = `${before}${begin}\n\n${table()}\n\n${END}${rest.slice(rest.indexOf(END) + END.length)}`;
  }
  return written;
}

const END = '<!-- End of the table. -->';

function passRateGate(passed: number, cases: number, passRate: number): boolean | null {
  return gateResults(runOf(passed, cases), { passRate }, null)[0]?.holds ?? null;
}

/** Returns a table of the smallest number of cases with which a gate on the pass rate can hold. */
function howManyCases(): string {
  const failing = [0, 1, 2, 5];
  const rows = [0.8, 0.9, 0.95].map((rate) => [
    `${Math.round(100 * rate)}%`,
    ...failing.map((failed) => {
      let cases = failed + 1;
      while (passRateGate(cases - failed, cases, rate) !== true) cases += 1;
      return failed === 0 ? `${cases} cases` : `${cases}`;
    }),
  ]);
  const heading = failing.map((failed) =>
    failed === 0 ? 'if all pass' : failed === 1 ? 'if 1 fails' : `if ${failed} fail`,
  );
  return alignedTable(['to show at least', ...heading], rows);
}

/**
 * Returns a table of how often a gate at 90% holds, cannot tell or fails, by the true pass rate. The values are exact,
 * for runs with one repeat per case.
 */
function howOften(): string {
  const sizes = [10, 30, 100, 300];
  const rows = [0.8, 0.85, 0.88, 0.9, 0.92, 0.95, 0.98].map((rate) => [
    `${Math.round(100 * rate)}%`,
    ...sizes.map((cases) => {
      const shares = new Map<boolean | null, number>();
      for (const [passed, share] of binomial(cases, rate).entries()) {
        const holds = passRateGate(passed, cases, 0.9);
        shares.set(holds, (shares.get(holds) ?? 0) + share);
      }
      return [true, null, false].map((holds) => Math.round(100 * (shares.get(holds) ?? 0))).join(' / ');
    }),
  ]);
  return alignedTable(['true pass rate', ...sizes.map((cases) => `${cases} cases`)], rows);
}

/** Returns the probability of each number of passes. */
function binomial(cases: number, rate: number): number[] {
  let shares = [1];
  for (let one = 0; one < cases; one++) {
    const next = new Array<number>(one + 2).fill(0);
    for (const [passed, share] of shares.entries()) {
      next[passed] = (next[passed] ?? 0) + share * (1 - rate);
      next[passed + 1] = (next[passed + 1] ?? 0) + share * rate;
    }
    shares = next;
  }
  return shares;
}

function runOf(passed: number, cases: number): RunOutcomes {
  const common = { setId: '', group: null, asked: '', version: '', criteria: [] };
  return {
    id: '',
    agent: '',
    startedAt: 0,
    finished: true,
    compat: null,
    criteria: [],
    cases: Array.from({ length: cases }, (_, index) => ({
      ...common,
      caseId: String(index),
      verdict: index < passed ? ('passed' as const) : ('failed' as const),
      repeats: [{ repeat: 0, passed: index < passed, answer: null }],
    })),
  };
}
